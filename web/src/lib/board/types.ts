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
  /** Candidates for this side's face-down card. */
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
  /** Number of possible answers to a lead of the card; undefined for an answer. */
  answers?: number;
  /** Whether the card wins the move as an answer; undefined for a lead. */
  wins?: boolean;
  /** Signed final points after playing the card, from the acting player's view. */
  value?: string;
  /** Whether the card is among the best actions. */
  best?: boolean;
}

/** Mark of a review on a card. */
export interface ReviewMark {
  /** Kind of review mark: `played` with a loss, `best` alternative, or `right` (played without a loss). */
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
 * State of an arm (row or column) of a lead's cross: `on` if a card in the arm can answer, `idle` if no card
 * needs to, and `none` if no card can.
 */
export type Arm = 'on' | 'idle' | 'none';

/** Cross of a led card: its row and column, which contain all answers. */
export interface Cross {
  card: string;
  row: Arm;
  column: Arm;
}

/** Returns the cross of a led card, given the possible answers. */
export function crossOf(card: string, { cards }: Answers): Cross {
  const [rank, suit] = card;
  const inRow = cards.some((other) => other[1] === suit);
  const inColumn = cards.some((other) => other[0] === rank && other[1] !== suit);
  if (cards.length === 0) return { card, row: 'none', column: 'none' };
  return { card, row: inRow ? 'on' : 'idle', column: inColumn ? 'on' : 'idle' };
}
