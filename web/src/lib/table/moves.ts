// Groups the actions of a game into the rows of the move list.
import type { Step } from '$lib/api/types';

/** Step (action) of a game with its number, which starts at 1. */
export type NumberedStep = Step & { at: number };

/** Rows of a move list: the foreplacing, then one row for each move. */
export interface MoveRows {
  foreplacing: NumberedStep[];
  moves: { number: number; steps: NumberedStep[] }[];
}

/** Groups the steps (actions) of a game into the rows of a move list. */
export function moveRows(steps: Step[]): MoveRows {
  const rows: MoveRows = { foreplacing: [], moves: [] };
  for (const [index, step] of steps.entries()) {
    const numbered = { ...step, at: index + 1 };
    if (step.move === null) {
      rows.foreplacing.push(numbered);
    } else {
      const row = rows.moves.at(-1);
      if (row?.number === step.move) row.steps.push(numbered);
      else rows.moves.push({ number: step.move, steps: [numbered] });
    }
  }
  return rows;
}
