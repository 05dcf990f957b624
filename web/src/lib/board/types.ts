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
  /** Cards of this side that may be the card face down. */
  candidates: string[];
  toAct: boolean;
}

/** Note on a card of the acting player: whether the card can be played, and with what effect. */
export interface CardNote {
  legal: boolean;
  /** Reason why the card cannot be played; undefined for a legal card. */
  why?: string;
  /** Points that a lead of the card scores as a mate; undefined if the card gives no mate. */
  mate?: number;
  /** Number of cards that can answer a lead of the card; undefined if the card would be an answer. */
  answers?: number;
  /** Whether an answer with the card wins the move; undefined if the card would be led. */
  wins?: boolean;
  /** Final points after the card is played, with a sign from the acting player's point of view. */
  value?: string;
  /** Whether the card is among the best actions. */
  best?: boolean;
}

/** Mark of a review on a card. */
export interface ReviewMark {
  /**
   * Kind of the mark: the card was `played` and lost points, would have been `best`, or was `right`: played
   * without a loss.
   */
  kind: 'played' | 'best' | 'right';
  /** Points that the played card lost. Null if the loss is not proved, and for a card that was not played. */
  lost: number | null;
}

/** Marks of a review on the cards of one seat, by the notation of the card. */
export interface ReviewMarks {
  seat: Seat;
  cards: ReadonlyMap<string, ReviewMark>;
}

/**
 * State of an arm of a cross: `on` where a card can answer, `idle` where no card needs to answer, and `none`
 * where no card can answer.
 */
export type Arm = 'on' | 'idle' | 'none';

/** Cross of a led card: the row and the column of the card, in which the answers lie. */
export interface Cross {
  card: string;
  row: Arm;
  column: Arm;
}

/** Returns the cross of a led card from the cards that can answer. */
export function crossOf(card: string, { cards }: Answers): Cross {
  const [rank, suit] = card;
  const inRow = cards.some((other) => other[1] === suit);
  const inColumn = cards.some((other) => other[0] === rank && other[1] !== suit);
  if (cards.length === 0) return { card, row: 'none', column: 'none' };
  return { card, row: inRow ? 'on' : 'idle', column: inColumn ? 'on' : 'idle' };
}
