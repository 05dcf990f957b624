// Formats exact values and proved bounds for readers.
import type { Analysis, Seat, Value } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { points, shown, signed } from './words';

/** Formats a value in points for a seat: an exact value such as `+16`, or bounds such as `−4 … +9`. */
export function valueFor(seat: Seat, value: Value): string {
  const sign = seat === 'first' ? 1 : -1;
  if (value.exact !== null) return signed(sign * value.exact || 0);
  const ends = [sign * value.low, sign * value.high].sort((a, b) => a - b);
  return ends.map((end) => signed(end || 0)).join(' … ');
}

type AnalysedAction = Analysis['actions'][number];

/**
 * Formats the value of an analysed action in points for a seat. The sign `~` marks an estimate. Returns null if only
 * bounds of the value are known.
 */
export function figureFor(
  seat: Seat,
  { value_for_first, estimate_for_first }: AnalysedAction
): string | null {
  if (value_for_first.exact !== null) return valueFor(seat, value_for_first);
  const sign = seat === 'first' ? 1 : -1;
  return estimate_for_first === null ? null : `~${signed(sign * estimate_for_first || 0)}`;
}

/**
 * Returns the number by which analysed actions are compared, in points for a seat: the exact value, the estimate, or
 * the proved lower bound.
 */
export function pointsFor(seat: Seat, { value_for_first, estimate_for_first }: AnalysedAction): number {
  const { exact, low, high } = value_for_first;
  const known = exact ?? estimate_for_first;
  if (seat === 'first') return known ?? low;
  return -(known ?? high);
}

/**
 * Returns the number that graphs draw for a value: the exact value or the mean of the bounds, in points for seat
 * *first*.
 */
export function middleForFirst(value: Value): number {
  return value.exact ?? (value.low + value.high) / 2;
}

/**
 * Describes the value of an analysed position in a sentence: the exact value, or the estimate with the search
 * horizon and the proved bounds.
 */
export function valueSays({ value_for_first: value, horizon, actions }: Analysis): string {
  const estimate = actions.find(({ best }) => best)?.estimate_for_first ?? null;
  if (value.exact === null && horizon !== null && estimate !== null)
    return m.analysis_value_estimate({
      value: signed(estimate),
      n: horizon,
      low: signed(value.low),
      high: signed(value.high)
    });
  if (value.exact === null)
    return m.analysis_value_between({ low: shown(value.low), high: shown(value.high) });
  if (value.exact > 0) return m.analysis_value_first({ points: points(value.exact) });
  if (value.exact < 0) return m.analysis_value_second({ points: points(-value.exact) });
  return m.analysis_value_draw();
}
