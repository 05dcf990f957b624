// What a board is told: hands, what may be played, and what to call people. It decides nothing by itself.
import type { Foreplaced } from '$lib/game/scene';
import type { Seat } from '$lib/api/types';

/** One side of the table. */
export interface Side {
  seat: Seat;
  name: string;
  you: boolean;
  hand: string[];
  /** The hand as dealt: rows that were never filled take no room. */
  dealt: string[];
  pile: string[];
  foreplaced: Foreplaced;
  toAct: boolean;
}

/** What a card says about itself when it is somebody's turn. */
export interface CardNote {
  legal: boolean;
  /** Why it cannot be played. */
  why?: string;
  /** The final points it leads to, for whoever acts. */
  value?: string;
  /** Among the best. */
  best?: boolean;
}
