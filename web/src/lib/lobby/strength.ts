// Chooses the level of the computer opponent that suits a player's strength.
import type { PlayerRating } from '$lib/api/types';

/**
 * Ratings of the computer opponents of levels 1 to 9, by the name of the rule set. The server has the same ratings in
 * `anchors.tsv`.
 */
export const LEVEL_RATINGS: Readonly<Record<string, readonly number[]>> = {
  sackson: [1112, 1254, 1338, 1500, 1731, 2003, 2310, 2627, 2983],
  bga: [1126, 1270, 1355, 1500, 1726, 2037, 2271, 2503, 2718],
  pagat: [1104, 1242, 1333, 1500, 1738, 2008, 2325, 2651, 2996],
  rael: [982, 1163, 1277, 1500, 1816, 2178, 2521, 3012, 3525],
  denexa: [1364, 1435, 1458, 1500, 1667, 1773, 1905, 2038, 2187],
  'bga+pinochle': [1244, 1431, 1485, 1500, 1564, 1616, 1721, 1782, 2006]
};

/** Known strength of a player: their ratings and an estimated level. */
export interface Strength {
  /** Ratings of the player's account in all rule sets and paces. */
  ratings: readonly PlayerRating[];
  /** Strength level, 1 to 9, whose play is most similar to the play of the player; null without an estimate. */
  estimate: number | null;
}

/** Level of the computer opponent that the page offers, and the reason for the choice. */
export interface OfferedLevel {
  level: number;
  /**
   * Reason for the offered level: the rating in the rule set, the estimate from all rule sets, or the level that the
   * player chose last.
   */
  by: 'rating' | 'estimate' | 'last';
}

/**
 * Returns the strength level whose rating is nearest to a given rating, or null if the levels have no ratings in the
 * rule set.
 */
function nearest(rules: string, rating: number): number | null {
  const levels = LEVEL_RATINGS[rules];
  if (!levels) return null;
  const distances = levels.map((of) => Math.abs(of - rating));
  return distances.indexOf(Math.min(...distances)) + 1;
}

/**
 * Returns the player's rating in a rule set, from the pace (live or correspondence) in which the rating is more
 * certain. Returns null without a rating.
 */
function surest(rules: string, ratings: readonly PlayerRating[]): number | null {
  const own = ratings.filter((rating) => rating.rules === rules);
  own.sort((a, b) => a.rating.deviation - b.rating.deviation);
  return own[0]?.rating.rating ?? null;
}

/**
 * Returns the strength level whose rating is nearest to the player's rating in a rule set. Returns null if the player
 * or the levels have no rating there.
 */
export function ratedLevel(rules: string, ratings: readonly PlayerRating[]): number | null {
  const rating = surest(rules, ratings);
  return rating === null ? null : nearest(rules, rating);
}

/**
 * Returns the level of the computer opponent that suits a player's strength. If rating and estimate are unknown,
 * returns the level that the player chose last.
 */
export function levelFor(rules: string, { ratings, estimate }: Strength, last: number): OfferedLevel {
  const level = ratedLevel(rules, ratings);
  if (level !== null) return { level, by: 'rating' };
  return estimate === null ? { level: last, by: 'last' } : { level: estimate, by: 'estimate' };
}
