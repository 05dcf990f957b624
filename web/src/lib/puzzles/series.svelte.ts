// Holds the state of a series of puzzles: training near the player's rating, a streak of ever harder puzzles,
// or a timed storm.
import type { WantedPuzzle } from '$lib/api/api';
import type { PuzzleTheme } from '$lib/api/types';
import { randomId } from '$lib/net/random';

export type Mode = 'train' | 'streak' | 'storm';
export const MODES: Mode[] = ['train', 'streak', 'storm'];

/** Duration of a storm (timed series of puzzles) in milliseconds. */
export const STORM_TIME = 180_000;

/**
 * Puzzle ratings in a streak or storm: the rating of the first puzzle (`from`), and the increase for each solved
 * puzzle (`by`).
 */
const RISE = { streak: { from: 400, by: 75 }, storm: { from: 400, by: 40 } };

export interface Choice {
  mode: Mode;
  rules: string;
  theme: PuzzleTheme | null;
}

/** Puzzle that the player has tried in a series of puzzles, with the outcome. */
export interface Tried {
  id: string;
  rating: number;
  solved: boolean;
}

export class Series {
  /** Puzzles that the player has tried in this series of puzzles, in order. */
  tried = $state.raw<Tried[]>([]);
  /** Number of puzzles that the player has solved in this series of puzzles. */
  score = $derived(this.tried.filter(({ solved }) => solved).length);
  over = $state(false);
  /** Unix time at which a storm (timed series of puzzles) ends, in milliseconds; null for other modes. */
  readonly ends: number | null;
  /** Id by which the server assigns puzzle attempts to one series of puzzles (streak or storm); absent in training. */
  readonly run: string | undefined;

  constructor(
    readonly choice: Choice,
    now: number
  ) {
    this.ends = choice.mode === 'storm' ? now + STORM_TIME : null;
    this.run = choice.mode === 'train' ? undefined : `${choice.mode}:${randomId()}`;
  }

  /** Returns a series of puzzles that has already ended, and in which the player tried the given puzzles. */
  static ended(choice: Choice, tried: Tried[]): Series {
    const series = new Series(choice, Date.now());
    series.tried = tried;
    series.end();
    return series;
  }

  /** Query parameters of the request for the next puzzle in this series of puzzles. */
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

  /**
   * Records the player's attempt at a puzzle in this series of puzzles. In a streak, an unsolved puzzle ends the
   * series.
   */
  count(puzzle: Tried): void {
    if (this.over) return;
    this.tried = [...this.tried, puzzle];
    if (!puzzle.solved && this.choice.mode === 'streak') this.end();
  }

  /** Ends this series of puzzles, so that no further puzzle counts. */
  end(): void {
    this.over = true;
  }
}
