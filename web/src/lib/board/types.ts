// Defines the data of a board: hands, names, notes on the cards, and the cross of a lead.
import type { Foreplaced } from '$lib/game/scene';
import type { Answers, Seat } from '$lib/api/types';

/**
 * Player at one side of the board. The cards of the lower side are light, and the cards of the upper side are
 * dark.
 */
export interface Side {
  seat: Seat;
  name: string;
  you: boolean;
  hand: string[];
  foreplaced: Foreplaced;
  /**
   * Cards that may be the player's face-down card, as far as the viewer knows. The list is empty if no card is hidden
   * from the viewer.
   */
  candidates: string[];
  toAct: boolean;
}

/** Note on a card of the acting player: its playability and its effect. */
export interface CardNote {
  legal: boolean;
  /** Reason why the card cannot be played; undefined for a playable card. */
  why?: string;
  /** Points of a mate by leading the card; undefined without a mate. */
  mate?: number;
  /** Number of possible answers to a lead of the card; undefined if the card is not led or the number is not known. */
  answers?: number;
  /** Whether the card wins the move as an answer; undefined if the player has to lead. */
  wins?: boolean;
  /** Value of playing the card, formatted as text, in points for the acting player. */
  value?: string;
  /** Whether playing the card is one of the best actions. */
  best?: boolean;
}

/** Review mark on a card: its kind, and the points that the action with the card lost. */
export interface ReviewMark {
  /**
   * Kind of the review mark: a card that was played with a loss (`played`), a better alternative (`best`), or a card
   * that was played without a loss (`right`).
   */
  kind: 'played' | 'best' | 'right';
  /**
   * Number of points by which playing the card is worse than best play. Null if the loss is not proved, and for a card
   * that was not played.
   */
  lost: number | null;
}

/** Review marks on the cards of one seat, by the notation of the card. */
export interface ReviewMarks {
  seat: Seat;
  cards: ReadonlyMap<string, ReviewMark>;
}

/**
 * State of one arm of a led card's cross: whether the row or column contains a possible answer to the lead. The state
 * is `on` if a card in the arm can answer, `free` if cards in the arm can answer only by the free move, `idle` if all
 * answers lie in the other arm, and `none` if no card can answer.
 */
export type Arm = 'on' | 'free' | 'idle' | 'none';

/** Cross of a led card: the state of its row and its column, which contain all answers. */
export interface Cross {
  card: string;
  row: Arm;
  column: Arm;
  /** Cards in the cross that can answer only by the free move; empty after the free move has been used. */
  free: readonly string[];
}

/** Returns the cross of a led card (the states of its row and column), given the possible answers. */
export function crossOf(card: string, { cards, free_move: free }: Answers): Cross {
  const [rank, suit] = card;
  if (cards.length === 0) return { card, row: 'none', column: 'none', free };
  // The card identical to the lead has its suit and its rank. The other answers tell which of both is required.
  const others = cards.filter((other) => other !== card);
  const arm = (contains: (other: string) => boolean): Arm => {
    if (others.some(contains)) return 'on';
    return free.some(contains) ? 'free' : 'idle';
  };
  const row = arm((other) => other[1] === suit);
  const column = arm((other) => other[0] === rank);
  if (others.length > 0) return { card, row, column, free };
  return row === 'free' ? { card, row, column: 'on', free } : { card, row: 'on', column, free };
}

/** Returns the cross of a led card after the answer, when no card can use the free move any more. */
export function answered({ card, row, column }: Cross): Cross {
  const closed = (arm: Arm): Arm => (arm === 'free' ? 'idle' : arm);
  return { card, row: closed(row), column: closed(column), free: [] };
}
