// Finds the tournament event of a match.
import type { MatchState } from '$lib/api/types';

const PREFIX = 'event-';

/** Returns the id of the tournament event to which a match belongs, or null for a match outside of events. */
export const eventOf = (match: Pick<MatchState, 'shared_deal'>): string | null =>
  match.shared_deal?.startsWith(PREFIX) ? match.shared_deal.slice(PREFIX.length) : null;
