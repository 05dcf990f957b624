// Types of the data that a board draws: hands, names, notes on the cards, and the cross of a lead.
import type { Foreplaced } from '$lib/game/scene';
import type { Answers, Seat } from '$lib/api/types';

/**
 * Player at one side of the board: the cards of the lower side are light, and the cards of the upper side are
 * dark.
 */
export interface Side {
  seat: Seat;
  name: string;
  you: boolean;
  hand: string[];
  foreplaced: Foreplaced;
  /** Cards of this side of which one may lie face down. */
  candidates: string[];
  toAct: boolean;
}

/** Note on a card of the acting player's hand: whether the card can be played, and with which effect. */
export interface CardNote {
  legal: boolean;
  /** Reason why the card cannot be played; undefined for a legal card. */
  why?: string;
  /** Points that a lead of the card scores as a mate; undefined if the card gives no mate. */
  mate?: number;
  /** Number of cards that can answer a lead of the card; undefined for an answer. */
  answers?: number;
  /** Whether an answer with the card wins the move; undefined for a lead. */
  wins?: boolean;
  /** Final points after playing the card, with the sign from the acting player's point of view. */
  value?: string;
  /** Whether no legal action is better than playing the card. */
  best?: boolean;
}

/** Mark of a review on a card that a player could choose. */
export interface ReviewMark {
  /** The card was `played` and lost points, was `best` instead, or was `right`: it was played and lost nothing. */
  kind: 'played' | 'best' | 'right';
  /** Points that the played card lost; null if the loss is not proved, and for a card that was not played. */
  lost: number | null;
}

/** Marks of a review on the cards of one seat, by card. */
export interface ReviewMarks {
  seat: Seat;
  cards: ReadonlyMap<string, ReviewMark>;
}

/**
 * State of a row or column in the cross of a lead. The state is `on` where a card can answer, `idle` where no
 * card needs to answer, and `none` where no card can answer.
 */
export type Arm = 'on' | 'idle' | 'none';

/** Cross of a led card: the card's row and column on the board, in which the answers lie. */
export interface Cross {
  card: string;
  row: Arm;
  column: Arm;
}

/** Returns the cross of a led card, given the cards that can answer the lead. */
export function crossOf(card: string, { cards }: Answers): Cross {
  const [rank, suit] = card;
  const inRow = cards.some((other) => other[1] === suit);
  const inColumn = cards.some((other) => other[0] === rank && other[1] !== suit);
  if (cards.length === 0) return { card, row: 'none', column: 'none' };
  return { card, row: inRow ? 'on' : 'idle', column: inColumn ? 'on' : 'idle' };
}
