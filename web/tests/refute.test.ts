// Tests best play after a wrong action in a puzzle: the actions, and the seat that takes each of them.
import { expect, test, vi } from 'vitest';
import type { Puzzle } from '$lib/api/types';

const analyse = vi.hoisted(() => vi.fn());
vi.mock('$lib/engine/analyse', () => ({ analyse }));

const PUZZLE = { rules: 'sackson+double', position: '…' } as Puzzle;

/** Lets each analysis answer with the next of the given seats, and with the action of this seat. */
function answerWith(...answers: ['first' | 'second' | null, string][]) {
  analyse.mockReset();
  for (const [to_act, action] of answers)
    analyse.mockResolvedValueOnce({ game: { to_act }, line: to_act ? [action] : [] });
}

test('the same card belongs to the seat that plays it', async () => {
  const { refute } = await import('$lib/puzzles/refute');
  answerWith(['second', 'Ks'], ['second', 'Th'], ['first', 'Th']);
  expect(await refute(PUZZLE, ['Ks'])).toEqual([
    { seat: 'second', action: 'Ks' },
    { seat: 'second', action: 'Th' },
    { seat: 'first', action: 'Th' }
  ]);
  const asked = analyse.mock.calls.map(([{ actions }]) => actions);
  expect(asked).toEqual([['Ks'], ['Ks', 'Ks'], ['Ks', 'Ks', 'Th']]);
});

test('best play ends with the game', async () => {
  const { refute } = await import('$lib/puzzles/refute');
  answerWith(['second', 'As'], [null, '']);
  expect(await refute(PUZZLE, ['7s'])).toEqual([{ seat: 'second', action: 'As' }]);
});
