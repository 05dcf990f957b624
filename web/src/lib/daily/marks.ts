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

/** Threshold of lost points at which the page marks a decision as costly. */
export const DEAR = 20;

/** Width of a histogram bar, in lost points. */
const WIDTH = 20;

/** Maximum number of histogram bars. The last bar contains all larger losses. */
const BARS = 12;

/**
 * Returns the symbol that marks a decision by its lost points. The shape of the symbol shows the size of the loss.
 */
export function markOf({ lost }: Pick<SharedDealDecision, 'lost'>): string {
  if (lost === 0) return '●';
  return lost < DEAR ? '◐' : '○';
}

/** Formats a number of lost points in words. */
export function lostSays(lost: number): string {
  if (lost === 0) return m.daily_lost_none();
  return lost === 1 ? m.daily_lost_one() : m.daily_lost_many({ n: lost });
}

/** Describes a player's result in a shared deal whose day or week is over. */
export function stateSays({ lost, state }: Pick<SharedDealSummary, 'lost' | 'state'>): string {
  if (lost !== null) return lostSays(lost);
  if (state === 'resigned') return m.daily_resigned();
  return state === 'running' ? m.daily_unfinished() : m.daily_missed();
}

/** Formats the exact value of a deal in words, as points for the player who leads first. */
export function valueSays(value: number): string {
  if (value === 0) return m.daily_value_draw();
  return value > 0
    ? m.daily_value_wins({ points: points(value) })
    : m.daily_value_loses({ points: points(-value) });
}

/** Returns a text with which a player shares the result of a finished deal. The text reveals no card. */
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

/** Bar of a histogram: the number of players whose lost points lie in a range. */
export interface Bar {
  from: number;
  /** Upper bound of the lost points that the histogram bar counts; null if the range has no upper bound. */
  to: number | null;
  players: number;
  isOwn: boolean;
}

/**
 * Returns the histogram of all players' lost points, the smallest loss first. Results without a loss have
 * their own bar.
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

/** Formats the time until a given moment in words, in minutes or longer units. */
export function timeUntil(end: string, now: number): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(end) - now) / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return m.time_days({ n: Math.floor(hours / 24), hours: hours % 24 });
  return hours > 0 ? m.time_hours({ n: hours, minutes: minutes % 60 }) : m.time_minutes({ n: minutes });
}
