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
  return send(report);
}

/**
 * Repeats the reports whose requests have failed, in this page or before it was loaded, and waits for the responses.
 * Returns whether there were such reports. After a failure, the next call repeats the remaining reports.
 */
export async function repeatFailedReports(): Promise<boolean> {
  const failed = openReports().filter(({ id }) => !sending.has(id));
  for (const { id } of failed) {
    // A sign-out drops the remaining reports.
    const report = openReport(id);
    if (!report) continue;
    try {
      await send(report);
    } catch (thrown) {
      if (asProblem(thrown).passing) break;
    }
  }
  return failed.length > 0;
}
