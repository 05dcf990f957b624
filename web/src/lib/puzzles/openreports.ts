// Keeps the reports of puzzle attempts to which the server has not responded yet. The reports are in the local storage, so
// that they outlast the page, and all tabs share them.

import { fieldsOf, isText, listOf, stored } from '$lib/storage';

/** Report of an attempt at a puzzle to which the server has not responded yet. */
export interface OpenReport {
  /** Id of the puzzle. */
  id: string;
  actions: string[];
  /** Id of the series of puzzles (streak or storm) to which the attempt belongs; absent in training. */
  run?: string | undefined;
}

/** Key in the browser's local storage under which the reports are stored. */
const KEY = 'overmate.puzzle-reports';

/** Maximum number of reports that the browser keeps. The newest reports are kept. */
const MOST = 30;

function isReport(value: unknown): value is OpenReport {
  const { id, actions, run } = fieldsOf(value);
  const hasActions = Array.isArray(actions) && actions.every(isText);
  return isText(id) && hasActions && (run === undefined || isText(run));
}

/** Reports of this page while the local storage does not work; null otherwise. */
let here: OpenReport[] | null = null;

/** Returns the reports without a response, in the order of the attempts. */
export function openReports(): OpenReport[] {
  return here ?? listOf(stored(KEY), isReport);
}

function write(reports: OpenReport[]): void {
  try {
    if (reports.length > 0) localStorage.setItem(KEY, JSON.stringify(reports));
    else localStorage.removeItem(KEY);
    here = null;
  } catch {
    here = reports;
  }
}

export const keepReport = (report: OpenReport): void => write([...openReports(), report].slice(-MOST));

export const dropReport = (id: string): void => write(openReports().filter((report) => report.id !== id));

/**
 * Drops all reports, because the next requests of this browser may be those of another person. The server would count the
 * attempts for that person.
 */
export const dropReports = (): void => write([]);
