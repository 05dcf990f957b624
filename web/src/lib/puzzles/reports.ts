// Reports attempts at puzzles to the server. A report without a response is kept and repeated, because the server counts
// only the first attempt that it receives.
import { attemptPuzzle } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { AttemptResult, Puzzle } from '$lib/api/types';

/** Report of an attempt at a puzzle to which the server has not responded yet. */
interface OpenReport {
  puzzle: Puzzle;
  actions: string[];
  /** Id of the series of puzzles (streak or storm) to which the attempt belongs; absent in training. */
  run: string | undefined;
  /** Whether the latest request with this report has failed. */
  failed: boolean;
}

/** Reports without a response, by puzzle id. */
const open = new Map<string, OpenReport>();

async function send(report: OpenReport): Promise<AttemptResult> {
  const { puzzle, actions, run } = report;
  report.failed = false;
  try {
    const result = await attemptPuzzle(puzzle, actions, run);
    open.delete(puzzle.id);
    return result;
  } catch (thrown) {
    // The server will also refuse the next request with a report that it has refused for good. A browser that was signed
    // out does not repeat the report by itself, because the server would count the attempt for a new identity.
    if (asProblem(thrown).passing) report.failed = true;
    else open.delete(puzzle.id);
    throw thrown;
  }
}

/**
 * Reports an attempt at a puzzle. While an earlier attempt at the same puzzle has no response, this function sends the
 * report of the earlier attempt instead.
 */
export function reportAttempt(puzzle: Puzzle, actions: string[], run?: string): Promise<AttemptResult> {
  const report = open.get(puzzle.id) ?? { puzzle, actions, run, failed: false };
  open.set(puzzle.id, report);
  return send(report);
}

/**
 * Repeats the reports whose requests have failed, and waits for the responses. Returns whether there were such reports.
 * New errors are ignored, because the next call repeats the reports again.
 */
export async function repeatFailedReports(): Promise<boolean> {
  const failed = [...open.values()].filter((report) => report.failed);
  await Promise.allSettled(failed.map(send));
  return failed.length > 0;
}
