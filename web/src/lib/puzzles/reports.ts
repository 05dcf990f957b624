// Reports attempts at puzzles to the server. A report without a response is kept and repeated, also after a reload of the
// page, because the server counts only the first attempt that it receives.
import { attemptPuzzle } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { AttemptResult, Puzzle } from '$lib/api/types';
import { dropReport, keepReport, openReports, type OpenReport } from './openreports';

/** Ids of the puzzles whose reports this page is sending. */
const sending = new Set<string>();

async function send(report: OpenReport): Promise<AttemptResult> {
  const { id, actions, run } = report;
  sending.add(id);
  try {
    const result = await attemptPuzzle(id, actions, run);
    dropReport(id);
    return result;
  } catch (thrown) {
    // The server will also refuse the next request with a report that it has refused for good.
    if (!asProblem(thrown).passing) dropReport(id);
    throw thrown;
  } finally {
    sending.delete(id);
  }
}

/** Name of the lock that a tab holds while it sends the report of an attempt at a puzzle. */
const lockOf = (id: string): string => `overmate.puzzle-report.${id}`;

const openReport = (id: string): OpenReport | undefined => openReports().find((report) => report.id === id);

/**
 * Reports an attempt at a puzzle. While an earlier attempt at the same puzzle has no response, this function sends the
 * report of the earlier attempt instead.
 */
export function reportAttempt(
  { id }: Pick<Puzzle, 'id'>,
  actions: string[],
  run?: string
): Promise<AttemptResult> {
  const earlier = openReport(id);
  const report = earlier ?? { id, actions, run };
  if (!earlier) keepReport(report);
  const sent = send(report);
  // The request does not wait for the lock, because a page that is closed meanwhile would not send it. At an insecure
  // address, browsers offer no locks (Web Locks API), so that another tab may send the report, too.
  if (navigator.locks) navigator.locks.request(lockOf(id), () => sent).catch(() => undefined);
  return sent;
}

/** Maximum time, in milliseconds, for which repeated reports wait for other tabs that are sending the reports. */
const LOCK_LIMIT_MS = 4_000;

/**
 * Repeats the report of a puzzle. While another tab sends the report, this function waits for the end of the tab's request
 * until `limit` is aborted, and then leaves the report to the other tab.
 */
async function repeat(id: string, limit: AbortSignal): Promise<void> {
  const resend = async (lock?: Lock | null) => {
    if (lock === null) return;
    // A sign-out drops the remaining reports, and another tab may have sent the report meanwhile.
    const report = openReport(id);
    if (report) await send(report);
  };
  if (!navigator.locks) return resend();
  await navigator.locks.request(
    lockOf(id),
    limit.aborted ? { ifAvailable: true } : { signal: limit },
    resend
  );
}

/**
 * Repeats the reports whose requests have failed, in this page or before it was loaded, and waits for the responses, also
 * for those to other tabs. Returns whether there were such reports. The next call repeats the reports that remain after a
 * failure, and those that another tab is still sending after the time limit.
 */
export async function repeatFailedReports(): Promise<boolean> {
  const limit = AbortSignal.timeout(LOCK_LIMIT_MS);
  const failed = openReports().filter(({ id }) => !sending.has(id));
  for (const { id } of failed) {
    try {
      await repeat(id, limit);
    } catch (thrown) {
      if (thrown !== limit.reason && asProblem(thrown).passing) break;
    }
  }
  return failed.length > 0;
}
