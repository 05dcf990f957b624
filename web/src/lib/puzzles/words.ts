// Formats the themes, values and solutions of puzzles as texts.
import type { Puzzle, PuzzleState, PuzzleTheme, Seat } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { cardSign } from '$lib/text/written';
import { points } from '$lib/text/words';

const THEMES: Record<PuzzleTheme, () => string> = {
  'only-action': m.puzzles_theme_only_action,
  'mate-in-1': m.puzzles_theme_mate_in_one,
  'mate-in-2': m.puzzles_theme_mate_in_two,
  'mate-in-3': m.puzzles_theme_mate_in_three,
  'long-mate': m.puzzles_theme_long_mate,
  overmate: m.puzzles_theme_overmate,
  wait: m.puzzles_theme_wait,
  'give-up-lead': m.puzzles_theme_give_up_lead,
  'keep-answer': m.puzzles_theme_keep_answer,
  foreplace: m.puzzles_theme_foreplace,
  'free-move': m.puzzles_theme_free_move,
  demand: m.puzzles_theme_demand,
  'save-draw': m.puzzles_theme_save_draw,
  'turn-loss': m.puzzles_theme_turn_loss
};

/** Returns a short description of a puzzle theme. */
export const themeSays = (theme: PuzzleTheme): string => THEMES[theme]();

/**
 * Describes a value as a win, a draw or a loss, in words that end a sentence. The value is in points for the person who
 * solves the puzzle.
 */
export function resultSays(value: number): string {
  if (value === 0) return m.puzzles_draws();
  return value > 0 ? m.puzzles_wins({ points: points(value) }) : m.puzzles_loses({ points: points(-value) });
}

/**
 * Returns the value of the right actions at a decision of a puzzle (`best`), and the best value of the other actions
 * (`other`).
 */
export function valuesOf({ choices }: PuzzleState): { best: number; other: number } {
  const values = choices.map(({ value }) => value);
  const best = Math.max(...values);
  return { best, other: Math.max(...values.filter((value) => value < best)) };
}

/**
 * Action in the main line of a puzzle's solution. `also` holds the other actions that are equally right at the same
 * decision.
 */
export interface Step {
  action: string;
  also: string[];
}

/**
 * Returns the actions of both seats in the main line of a solution. The main line follows the first right action at
 * each decision.
 */
export function stepsOf({ states }: Pick<Puzzle, 'states'>): Step[] {
  const steps: Step[] = [];
  let state = states[0];
  while (state) {
    const [right, ...others] = state.choices.filter(({ next }) => next !== null);
    if (!right) break;
    steps.push({ action: right.action, also: others.map(({ action }) => action) });
    state = states[right.next ?? 0];
    for (const { action } of state?.played.slice(1) ?? []) steps.push({ action, also: [] });
  }
  return steps;
}

/** Describes the task of the person who solves a puzzle: to foreplace, to lead, or to answer. */
export function taskSays({ game }: PuzzleState, solver: Seat): string {
  if (game.phase === 'foreplace') return m.puzzles_your_turn_foreplace();
  const move = game.move;
  if (game.phase === 'follow' && game.lead)
    return m.puzzles_your_turn_follow({ move, card: cardSign(game.lead.card, game.leader === solver) });
  return m.puzzles_your_turn_lead({ move });
}
