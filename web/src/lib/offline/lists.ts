// Reads and removes the offline matches in the browser's database, and selects those that the list of matches shows.
import type { MatchSummary } from '$lib/api/types';
import { allRows, removeAllRows, removeRow, type Row } from './store';

/** Returns the offline matches of this browser, from newest to oldest. An unreadable database counts as empty. */
export async function matchesHere(): Promise<Row[]> {
  if (typeof indexedDB === 'undefined') return [];
  const rows = await allRows().catch(() => []);
  return rows.sort((one, other) => other.summary.created_at.localeCompare(one.summary.created_at));
}

/**
 * Returns the summaries of the offline matches, which the page lists together with the server's matches. If the server
 * has answered, matches that the server also has are omitted.
 */
export const listedHere = (rows: readonly Row[], isAnswered: boolean): MatchSummary[] =>
  rows
    .filter(({ handed }) => !isAnswered || handed === undefined)
    .map(({ summary }) => ({ ...summary, offline: true }));

/** Removes the browser's copy of an offline match, given the id of the match on the server. */
export async function removeCopyOf(id: string): Promise<void> {
  for (const row of await matchesHere()) {
    if (row.handed === id) await removeRow(row.id);
  }
}

/** Removes all offline matches from the browser's database. */
export async function removeMatchesHere(): Promise<void> {
  if (typeof indexedDB !== 'undefined') await removeAllRows();
}
