// Formats exact values and proved bounds for readers.
import type { Seat, Value } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { points, shown, signed } from './words';

/** Formats an exact value or its bounds in points for a seat, such as `+16` or `−4 … +9`. */
export function valueFor(seat: Seat, value: Value): string {
  const sign = seat === 'first' ? 1 : -1;
  if (value.exact !== null) return signed(sign * value.exact || 0);
  const ends = [sign * value.low, sign * value.high].sort((a, b) => a - b);
  return ends.map((end) => signed(end || 0)).join(' … ');
}

/**
 * Returns the exact value, or the mean of the bounds, in points for seat *first*. Graphs draw this number.
 */
export function middleForFirst(value: Value): number {
  return value.exact ?? (value.low + value.high) / 2;
}

/** Describes the value of a position in a sentence. */
export function valueSays(value: Value): string {
  if (value.exact === null)
    return m.analysis_value_between({ low: shown(value.low), high: shown(value.high) });
  if (value.exact > 0) return m.analysis_value_first({ points: points(value.exact) });
  if (value.exact < 0) return m.analysis_value_second({ points: points(-value.exact) });
  return m.analysis_value_draw();
}
