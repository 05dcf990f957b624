// Converts the results of a shared deal to a text for sharing and to the bars of a histogram.
import type {
  SharedDealDecision,
  SharedDealResult,
  SharedDealScore,
  SharedDealSummary
} from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { rulesTitle } from '$lib/text/rules';
import { points } from '$lib/text/words';

/** Lost points from which a decision counts as costly. */
export const DEAR = 20;

/** Width of one bar of the histogram, in lost points. */
const WIDTH = 20;

/** Largest number of bars of the histogram; the last bar holds all larger losses. */
const BARS = 12;

/** Returns the mark of a decision. Its shape shows the size of the loss. */
export function markOf({ lost }: Pick<SharedDealDecision, 'lost'>): string {
  if (lost === 0) return '●';
  return lost < DEAR ? '◐' : '○';
}

/** Returns a number of lost points in words. */
export function lostSays(lost: number): string {
  if (lost === 0) return m.daily_lost_none();
  return lost === 1 ? m.daily_lost_one() : m.daily_lost_many({ n: lost });
}

/** Returns a text on a browser's result in a shared deal whose time is over. */
export function stateSays({ lost, state }: Pick<SharedDealSummary, 'lost' | 'state'>): string {
  if (lost !== null) return lostSays(lost);
  if (state === 'resigned') return m.daily_resigned();
  return state === 'running' ? m.daily_unfinished() : m.daily_missed();
}

/** Returns the exact value of a deal in words, for the player who leads first. */
export function valueSays(value: number): string {
  if (value === 0) return m.daily_value_draw();
  return value > 0
    ? m.daily_value_wins({ points: points(value) })
    : m.daily_value_loses({ points: points(-value) });
}

/** Returns the result of a finished deal as a text to share, which names no card. */
export function shareText({ deal, decisions }: SharedDealResult, address: string): string {
  const marks = [0, 1].map((game) =>
    decisions
      .filter((decision) => decision.game === game)
      .map(markOf)
      .join('')
  );
  const words = {
    name: deal.name,
    rules: rulesTitle(deal),
    lost: lostSays(deal.lost ?? 0),
    marks: marks.join(' ')
  };
  return `${m.daily_share_text(words)}\n${address}`;
}

/** Bar of the histogram: the players whose loss lies between the bar's two ends. */
export interface Bar {
  from: number;
  /** Largest loss in the bar, in points; null for the last bar, which has no upper end. */
  to: number | null;
  players: number;
  isOwn: boolean;
}

/**
 * Returns the results of all players as bars, the smallest loss first. Results without a loss have their own
 * bar.
 */
export function barsOf(scores: SharedDealScore[], own: number | null): Bar[] {
  const at = (lost: number) => (lost === 0 ? 0 : Math.min(1 + Math.floor((lost - 1) / WIDTH), BARS - 1));
  const last = Math.max(0, ...scores.map(({ lost }) => at(lost)));
  return Array.from({ length: last + 1 }, (_, bar) => ({
    from: bar === 0 ? 0 : (bar - 1) * WIDTH + 1,
    to: bar === 0 ? 0 : bar === BARS - 1 ? null : bar * WIDTH,
    players: scores.filter(({ lost }) => at(lost) === bar).reduce((sum, { players }) => sum + players, 0),
    isOwn: own !== null && at(own) === bar
  }));
}

/** Returns the time until a moment in words, rounded to minutes and at least one minute. */
export function timeUntil(end: string, now: number): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(end) - now) / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return m.time_days({ n: Math.floor(hours / 24), hours: hours % 24 });
  return hours > 0 ? m.time_hours({ n: hours, minutes: minutes % 60 }) : m.time_minutes({ n: minutes });
}
