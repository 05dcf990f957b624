// Holds the state of a series of puzzles: training near the player's rating, a streak of ever harder puzzles,
// or a timed storm.
import type { WantedPuzzle } from '$lib/api/api';
import type { PuzzleTheme } from '$lib/api/types';

export type Mode = 'train' | 'streak' | 'storm';
export const MODES: Mode[] = ['train', 'streak', 'storm'];

/** Duration of a storm (timed series of puzzles) in milliseconds. */
export const STORM_TIME = 180_000;

/** Rating of the first puzzle of a streak or storm (`from`), and increase for each further puzzle (`by`). */
const RISE = { streak: { from: 400, by: 75 }, storm: { from: 400, by: 40 } };

const KEY = (mode: Mode) => `overmate-puzzles-${mode}`;

/** Returns this browser's best score in a mode of puzzle series. */
export function bestOf(mode: Mode): number {
  try {
    return Number(localStorage.getItem(KEY(mode))) || 0;
  } catch {
    return 0;
  }
}

export interface Choice {
  mode: Mode;
  rules: string;
  theme: PuzzleTheme | null;
}

/** Puzzle that the player has tried in a series. */
export interface Tried {
  id: string;
  rating: number;
  solved: boolean;
}

export class Series {
  /** Tried puzzles of the series, in order. */
  tried = $state.raw<Tried[]>([]);
  /** Number of solved puzzles in the series. */
  score = $derived(this.tried.filter(({ solved }) => solved).length);
  over = $state(false);
  /** Unix time at which a storm (timed series of puzzles) ends, in milliseconds; null for other modes. */
  readonly ends: number | null;

  constructor(
    readonly choice: Choice,
    now: number
  ) {
    this.ends = choice.mode === 'storm' ? now + STORM_TIME : null;
  }

  /** Query parameters for the next puzzle of the series. */
  get wanted(): WantedPuzzle {
    const { mode, rules, theme } = this.choice;
    const rise = mode === 'train' ? null : RISE[mode];
    // In a streak, each puzzle is harder than the previous puzzle.
    const last = mode === 'streak' ? this.tried.at(-1) : undefined;
    return {
      rules,
      ...(theme && { theme }),
      ...(rise && { rating: Math.min(3000, rise.from + rise.by * this.score) }),
      ...(last && { above: last.rating })
    };
  }

  /** Adds a tried puzzle to the series. */
  count(puzzle: Tried): void {
    if (this.over) return;
    this.tried = [...this.tried, puzzle];
    if (!puzzle.solved && this.choice.mode === 'streak') this.end();
  }

  /** Ends the series, and stores a new best score. */
  end(): void {
    this.over = true;
    const { mode } = this.choice;
    if (mode === 'train' || this.score <= bestOf(mode)) return;
    try {
      localStorage.setItem(KEY(mode), String(this.score));
    } catch {
      // An error is ignored. Without storage, the best score lasts as long as the page.
    }
  }
}
