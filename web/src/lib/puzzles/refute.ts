// Computes best play after a wrong action in a puzzle.
import { analyse } from '$lib/engine/analyse';
import type { Puzzle } from '$lib/api/types';

/** Maximum number of best-play actions that the page shows after a wrong action. */
const SHOWN = 3;

/** Returns the start of the principal variation after a line of actions in a puzzle. */
export async function refute({ rules, position }: Puzzle, line: string[]): Promise<string[]> {
  const analysis = await analyse({ rules, position, actions: line });
  return analysis.line.slice(0, SHOWN);
}
