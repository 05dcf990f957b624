// Lists the matches of this browser's player on the server and in the page together.
import type { MatchSummary } from '$lib/api/types';
import { allRows, removeAllRows } from './store';

/** Returns the matches that are played in the page, from new to old. An unreadable database counts as empty. */
export async function matchesHere(): Promise<MatchSummary[]> {
  if (typeof indexedDB === 'undefined') return [];
  const rows = await allRows().catch(() => []);
  const matches = rows.map(({ summary }) => summary);
  return matches.sort((one, other) => other.created_at.localeCompare(one.created_at));
}

/** Removes the matches that are played in the page. */
export async function removeMatchesHere(): Promise<void> {
  if (typeof indexedDB !== 'undefined') await removeAllRows();
}
