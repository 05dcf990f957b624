// Decides whether the page can play a new match without the server. The start page loads this file at once, and the
// code that plays matches only when a match begins.
import { Problem } from '$lib/api/problem';
import type { NewMatch } from '$lib/api/types';
import { hasEngine } from '$lib/engine/client';

/**
 * Returns whether the page can play a match without the server. Such a match is unrated, against the computer, and
 * without clocks.
 */
export const canPlayHere = ({ opponent, clock, rated }: NewMatch): boolean =>
  (opponent.kind === 'level' || opponent.kind === 'perfect') && !clock && !rated;

/** Returns whether offline play is possible: the page contains the engine, and the browser has a database. */
export const hasOfflinePlay = (): boolean => hasEngine() && typeof indexedDB !== 'undefined';

/**
 * Returns the problem which reports that the page was built without the WebAssembly module of the solver and the
 * computer opponents.
 */
export const noEngine = (): Problem => new Problem('no-engine', 'the page was built without its engine', 501);
