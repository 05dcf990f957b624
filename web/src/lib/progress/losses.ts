// Computes the points that a player lost in each of a series of games, and the moving average of the lost points.
import type { ProgressGame } from '$lib/api/types';

/** Window size of the moving average of lost points, in games. */
export const SPAN = 10;

/**
 * Returns the points that the player lost in each analysed game with a real choice (decision that can lose points), the
 * oldest game first.
 */
export const lossesOf = (games: ProgressGame[]): number[] =>
  games.flatMap(({ choices, points_lost }) => (choices && points_lost !== null ? [points_lost] : []));

/**
 * Returns, for each game, the moving average of the lost points. An average covers at most `SPAN` games, up to the
 * game itself.
 */
export const movingMeans = (losses: number[]): number[] =>
  losses.map((_, at) => {
    const part = losses.slice(Math.max(0, at + 1 - SPAN), at + 1);
    return part.reduce((sum, lost) => sum + lost, 0) / part.length;
  });
