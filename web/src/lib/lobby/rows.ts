// Computes the rows of the list of open offers. Rows keep their places while offers come and go, so that no row moves
// under the pointer.
import type { Offer } from '$lib/api/types';

/** Row of the shown list of open offers. */
export interface Row {
  offer: Offer;
  /**
   * Time at which the offer was first missing from the server's list, in milliseconds since 1970; null for an open
   * offer.
   */
  gone: number | null;
}

/** Time for which the row of an ended offer stays in the list of open offers, in milliseconds. */
export const GONE_STAYS = 10_000;

/**
 * Time in milliseconds for which the page ignores clicks after the rows of offers have moved. A click may be meant
 * for the row that stood there before.
 */
export const SETTLES = 700;

/**
 * Returns the rows of the list of open offers after a change of the offers. Open offers stay in place, ended offers
 * stay for a while, and new offers follow at the end.
 */
export function placed(rows: Row[], offers: Offer[], now: number): Row[] {
  const open = new Map(offers.map((offer) => [offer.id, offer]));
  const kept = rows.flatMap(({ offer, gone }): Row[] => {
    const found = open.get(offer.id);
    if (found) return [{ offer: found, gone: null }];
    const since = gone ?? now;
    return now - since < GONE_STAYS ? [{ offer, gone: since }] : [];
  });
  const shown = new Set(kept.map(({ offer }) => offer.id));
  const added = offers.filter(({ id }) => !shown.has(id)).map((offer): Row => ({ offer, gone: null }));
  return [...kept, ...added];
}

/** Returns whether a row of the list of offers has moved to another place. */
export const moved = (before: Row[], after: Row[]): boolean =>
  after.some(({ offer }, at) => {
    const place = before.findIndex((row) => row.offer.id === offer.id);
    return place >= 0 && place !== at;
  });
