// Tests the board of a puzzle: the setting that the first click plays a card, and the state of the free move.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import type { GameState, LegalAction, Puzzle, RuleFacts } from '$lib/api/types';
import PuzzleBoard from '$lib/puzzles/PuzzleBoard.svelte';
import { Run } from '$lib/puzzles/run.svelte';
import { change } from '$lib/settings.svelte';
import { following, free } from './fixtures';

afterEach(() => {
  cleanup();
  change({ atOnce: false });
});

/** Shows a puzzle with a single decision, in which each legal action is right and ends the puzzle. */
function show(game: GameState, facts: RuleFacts): Run {
  const choices = game.legal.map(({ action }) => ({ action, value: 9, next: 1 }));
  const states = [
    { game, played: [], choices },
    { game: { ...game, legal: [] }, played: [], choices: [] }
  ];
  const puzzle = { id: '0123456789ab', solver: game.to_act, states } as unknown as Puzzle;
  const run = new Run(puzzle, () => Promise.resolve(null));
  const none = createRawSnippet(() => ({ render: () => '<p></p>' }));
  render(PuzzleBoard, { run, facts, onnext: () => {}, tools: none, aside: none });
  return run;
}

const card = (text: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-card="${text}"]`);
  if (!found) throw new Error(`the board does not show ${text}`);
  return found;
};

test('the first click plays a card if the player has chosen so, but never foreplaces a card', async () => {
  change({ atOnce: true });
  const game = following.match.current;
  const [answer] = game.legal as [LegalAction];
  const answered = show(game, following.facts);
  await fireEvent.click(card(answer.card ?? ''));
  expect(answered.stage).toBe('solved');
  cleanup();

  const foreplace: LegalAction = { ...answer, action: `(${answer.card})`, kind: 'foreplace' };
  const foreplaced = show({ ...game, phase: 'foreplace', legal: [foreplace] }, following.facts);
  await fireEvent.click(card(answer.card ?? ''));
  expect(foreplaced.stage).toBe('open');
  await fireEvent.click(card(answer.card ?? ''));
  expect(foreplaced.stage).toBe('solved');
  expect(screen.getByTestId('puzzle').dataset.stage).toBe('solved');
});

test('a puzzle tells whether the free move is used, if its rules have the free move', () => {
  const { current } = free.match;
  const texts = [false, true].map((free_move_used) => {
    show({ ...current, free_move_used }, free.facts);
    const text = screen.getByTestId('free-move').textContent;
    cleanup();
    return text;
  });
  expect(texts).toEqual(['Free move: unused', 'Free move: used']);
  show(following.match.current, following.facts);
  expect(screen.queryByTestId('free-move')).toBeNull();
});
