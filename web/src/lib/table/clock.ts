// Computes and formats the remaining times of the players of a match.
import type { Clocks, Player } from '$lib/api/types';

/**
 * Returns a player's remaining time in milliseconds, `passed` milliseconds after the server sent the clocks. Returns
 * null without a clock.
 */
export function leftAfter(clocks: Clocks, player: Player, passed: number): number | null {
  const left = clocks[player];
  if (left === null || clocks.running !== player) return left;
  return Math.max(0, left - Math.max(0, passed - clocks.runs_in));
}

/** Maximum delay of a browser timer, in milliseconds. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Returns the remaining time for which a player's days off pause the player's clock, in milliseconds; null without a
 * pause. Clocks with days for each action are paused for no other reason.
 */
export function awayFor(clocks: Clocks, player: Player, passed: number): number | null {
  const left = clocks.runs_in - passed;
  return clocks.setting.kind === 'days' && clocks.running === player && left > 0 ? left : null;
}

const received = new WeakMap<Clocks, number>();

/**
 * Returns the monotonic time (`performance.now()`) at which the page first used the remaining times `clocks` from the
 * server. Elapsed times are measured from there, so that a clock that is drawn again does not start over.
 */
export function receivedAt(clocks: Clocks): number {
  const at = received.get(clocks) ?? performance.now();
  received.set(clocks, at);
  return at;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Formats a remaining time of a day or more, such as `2d 5h`. */
function daysText(left: number, locale: string): string {
  const unit = (number: number, unit: string) =>
    number.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'narrow' });
  const hours = Math.ceil(left / HOUR);
  return `${unit(Math.floor(hours / 24), 'day')} ${unit(hours % 24, 'hour')}`;
}

/** Formats a remaining time, such as `4:59` or `1:00:00`. Below ten seconds the text has one decimal, as in `9.4`. */
export function clockText(left: number, locale = 'en'): string {
  if (left >= DAY) return daysText(left, locale);
  if (left <= 10_000)
    return (Math.ceil(left / 100) / 10).toLocaleString(locale, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1
    });
  const seconds = Math.ceil(left / 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Returns the number of milliseconds until the text of a running clock changes. */
export function untilChange(left: number): number {
  const step = left <= 10_000 ? 100 : left <= DAY ? 1000 : HOUR;
  return left % step || step;
}

/** Remaining times of a clock at which the player is warned, in milliseconds. */
export const WARNINGS = [60_000, 10_000];

/**
 * Returns the lowest threshold of `WARNINGS` that a clock's remaining time has reached between two readings. Returns
 * null if the time has reached no threshold.
 */
export function warningAt(before: number, now: number): number | null {
  return WARNINGS.findLast((warning) => before > warning && now <= warning) ?? null;
}
