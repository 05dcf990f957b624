// Describes the clocks of a match in short texts and sentences.
import type { Clock } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { getLocale } from '$lib/paraglide/runtime';

type Live = Extract<Clock, { kind: 'live' }>;

/** Formats the base time of a live clock in minutes, such as `5` or `0.5`. */
const minutesOf = ({ base }: Live): string =>
  (base / 60).toLocaleString(getLocale(), { maximumFractionDigits: 2 });

/** Formats the base time and the increment of a live clock in words. */
const timesOf = (clock: Live) => ({
  minutes: clock.base === 60 ? m.minutes_one() : m.minutes_many({ n: minutesOf(clock) }),
  seconds: clock.increment === 1 ? m.more_seconds_one() : m.more_seconds_many({ n: clock.increment })
});

/**
 * Returns the short name of a time control. The name contains minutes and seconds, such as `Clock 3 + 2`, or days.
 */
export function clockLabel(clock: Clock): string {
  if (clock.kind === 'live') return m.start_clock_of({ clock: `${minutesOf(clock)} + ${clock.increment}` });
  return clock.days === 1 ? m.start_clock_one() : m.start_clock_days({ days: clock.days });
}

/** Describes a time control in a phrase. */
export function clockSays(clock: Clock): string {
  if (clock.kind === 'live')
    return clock.increment > 0 ? m.clock_setting(timesOf(clock)) : m.clock_setting_base(timesOf(clock));
  return clock.days === 1 ? m.clock_setting_one() : m.clock_setting_days({ days: clock.days });
}

/** Explains a time control in sentences, for an invited player. */
export function clockExplained(clock: Clock): string {
  if (clock.kind === 'live')
    return clock.increment > 0 ? m.join_clock(timesOf(clock)) : m.join_clock_base(timesOf(clock));
  return clock.days === 1 ? m.join_clock_one() : m.join_clock_days({ days: clock.days });
}
