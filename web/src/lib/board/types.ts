// The data that a board draws: hands, names, notes on the cards, and the cross of a lead.
import type { Foreplaced } from '$lib/game/scene';
import type { Answers, Seat } from '$lib/api/types';

/** Player at one side of the board: the cards of the lower side are light, those of the upper side dark. */
export interface Side {
  seat: Seat;
  name: string;
  you: boolean;
  hand: string[];
  foreplaced: Foreplaced;
  /** Cards that may be the one that lies face down. */
  candidates: string[];
  toAct: boolean;
}

/** Note on a card of the acting hand. */
export interface CardNote {
  legal: boolean;
  /** Reason why the card cannot be played. */
  why?: string;
  /** Points that a lead of the card scores as a mate; undefined if the card gives no mate. */
  mate?: number;
  /** Whether an answer with the card wins the move; undefined at a lead. */
  wins?: boolean;
  /** Final points after playing the card, as the acting player sees them. */
  value?: string;
  /** Whether no action is better. */
  best?: boolean;
}

/** Part of a cross: `on` where a card can answer, `idle` where none needs to, `none` where the follower has no card. */
export type Arm = 'on' | 'idle' | 'none';

/** Row and column of a card that is led. */
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
