// Lists the matches of this browser's player on the server and in the page together.
import type { MatchSummary } from '$lib/api/types';
import { allRows, removeAllRows, removeRow, type Row } from './store';

/** Returns the matches that this page has played, from new to old. An unreadable database counts as empty. */
export async function matchesHere(): Promise<Row[]> {
  if (typeof indexedDB === 'undefined') return [];
  const rows = await allRows().catch(() => []);
  return rows.sort((one, other) => other.summary.created_at.localeCompare(one.summary.created_at));
}

/** Returns the matches to list beside those of the server: all without an answer of the server, and else those that it does not have. */
export const listedHere = (rows: readonly Row[], isAnswered: boolean): MatchSummary[] =>
  rows
    .filter(({ handed }) => !isAnswered || handed === undefined)
    .map(({ summary }) => ({ ...summary, offline: true }));

/** Removes the copy of a match on the server that this page has played. */
export async function removeCopyOf(id: string): Promise<void> {
  for (const row of await matchesHere()) {
    if (row.handed === id) await removeRow(row.id);
  }
}

/** Removes the matches that are played in the page. */
export async function removeMatchesHere(): Promise<void> {
  if (typeof indexedDB !== 'undefined') await removeAllRows();
}
