// Lists the preset time controls, and defines the maximum custom clock times.
import type { Clock } from '$lib/api/types';

/** Preset time controls with live clocks, from short to long. */
export const LIVE_PRESETS = [
  { kind: 'live', base: 180, increment: 2 },
  { kind: 'live', base: 300, increment: 5 },
  { kind: 'live', base: 600, increment: 10 }
] as const satisfies Clock[];

/** Preset time controls, from short to long. */
export const PRESETS: Clock[] = [
  ...LIVE_PRESETS,
  { kind: 'days', days: 1 },
  { kind: 'days', days: 2 },
  { kind: 'days', days: 3 },
  { kind: 'days', days: 7 }
];

/** Maximum custom clock times: minutes for each player in a match, and additional seconds for each action. */
export const MOST = { minutes: 180, seconds: 180 };
