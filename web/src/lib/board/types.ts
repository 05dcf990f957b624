// The data that a board draws: hands, names, and notes on the cards.
import type { Foreplaced } from '$lib/game/scene';
import type { Seat } from '$lib/api/types';

/** Player at one side of the board. */
export interface Side {
  seat: Seat;
  name: string;
  you: boolean;
  hand: string[];
  /** Hand as dealt; suits that were never held take no room. */
  dealt: string[];
  pile: string[];
  foreplaced: Foreplaced;
  toAct: boolean;
}

/** Note on a card of the acting hand. */
export interface CardNote {
  legal: boolean;
  /** Reason why the card cannot be played. */
  why?: string;
  /** Final points after playing the card, as the acting player sees them. */
  value?: string;
  /** Whether no action is better. */
  best?: boolean;
}
