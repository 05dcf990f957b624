// Clocks that the start page offers.
import type { Clock } from '$lib/api/types';

/** Usual clocks, the shortest first. */
export const PRESETS: Clock[] = [
  { kind: 'live', base: 180, increment: 2 },
  { kind: 'live', base: 300, increment: 5 },
  { kind: 'live', base: 600, increment: 10 },
  { kind: 'days', days: 1 },
  { kind: 'days', days: 2 },
  { kind: 'days', days: 3 },
  { kind: 'days', days: 7 }
];

/** Largest minutes for the match and seconds for an action that a player can choose. */
export const MOST = { minutes: 180, seconds: 180 };
