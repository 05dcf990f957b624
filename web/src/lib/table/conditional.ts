// Converts the tree of conditional answers to lines of actions, which the player reads and changes.
import type { AnswerBranch } from '$lib/api/types';

/** Action in a line of conditional answers. */
export interface LineAction {
  action: string;
  /** Whether the action is the viewer's own action, rather than the opponent's. */
  yours: boolean;
}

const theirs = (action: string): LineAction => ({ action, yours: false });
const own = (action: string): LineAction => ({ action, yours: true });

/**
 * Converts a tree of conditional answers to lines of actions. Each line reaches from the opponent's first action to
 * the last answer.
 */
export function linesOf(branches: AnswerBranch[]): LineAction[][] {
  return branches.flatMap(({ on, answers, then = [] }) => {
    const start = [theirs(on), ...answers.map(own)];
    return then.length === 0 ? [start] : linesOf(then).map((line) => [...start, ...line]);
  });
}

/**
 * Splits a line (sequence of actions) into the opponent's first action, the player's answers to this action, and the
 * remaining actions.
 */
function split(line: LineAction[]): { on: string; answers: string[]; rest: LineAction[] } {
  const [first, ...more] = line;
  const next = more.findIndex(({ yours }) => !yours);
  const end = next < 0 ? more.length : next;
  const answers = more.slice(0, end).map(({ action }) => action);
  return { on: first?.action ?? '', answers, rest: more.slice(end) };
}

/**
 * Adds a line (sequence of actions) to a tree of conditional answers. The line replaces other answers to the same
 * actions.
 */
export function withLine(branches: AnswerBranch[], line: LineAction[]): AnswerBranch[] {
  if (line.length === 0) return branches;
  const { on, answers, rest } = split(line);
  const known = branches.find((branch) => branch.on === on);
  const same = known && known.answers.join(' ') === answers.join(' ');
  const branch = { on, answers, then: withLine(same ? (known.then ?? []) : [], rest) };
  return known ? branches.map((old) => (old === known ? branch : old)) : [...branches, branch];
}

/**
 * Removes the last opponent action of a line (sequence of actions), and the answers to this action, from a tree of
 * conditional answers. Also removes the opponent actions directly before this action that have no answers and belong to
 * no other line.
 */
export function withoutLine(branches: AnswerBranch[], line: LineAction[]): AnswerBranch[] {
  const { on, answers, rest } = split(line);
  return branches.flatMap((branch) => {
    if (branch.on !== on || branch.answers.join(' ') !== answers.join(' ')) return [branch];
    if (rest.length === 0) return [];
    const then = withoutLine(branch.then ?? [], rest);
    // The parent of a removed branch in the tree of conditional answers is also removed if the parent holds no answers
    // and no other branches.
    return then.length === 0 && answers.length === 0 ? [] : [{ ...branch, then }];
  });
}
