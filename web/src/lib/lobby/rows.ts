// Keeps the rows of a list of offers in place while offers come and go, so that no row moves under the pointer.
import type { Offer } from '$lib/api/types';

/** Offer in the shown list. */
export interface Row {
  offer: Offer;
  /** Time at which the offer was first missing, in milliseconds since 1970; null for an open offer. */
  gone: number | null;
}

/** Time for which the row of a missing offer stays, in milliseconds. */
export const GONE_STAYS = 10_000;

/**
 * Returns the rows after a change of the offers: open offers stay in place, missing offers stay for a while, and new
 * offers follow at the end.
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

/** Returns whether a row has moved to another place of the list. */
export const moved = (before: Row[], after: Row[]): boolean =>
  after.some(({ offer }, at) => {
    const place = before.findIndex((row) => row.offer.id === offer.id);
    return place >= 0 && place !== at;
  });
