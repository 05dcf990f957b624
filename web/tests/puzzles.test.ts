// Tests the states of an attempt at a puzzle, and the three kinds of puzzle series: training, streak and storm.
import { cleanup, render, screen } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import type { AttemptResult, PlayedAction, Puzzle, PuzzleOverview, PuzzleState } from '$lib/api/types';
import RatingGraph from '$lib/puzzles/RatingGraph.svelte';
import { stepsOf } from '$lib/puzzles/words';
import { Run } from '$lib/puzzles/run.svelte';
import { MODES, Series, STORM_TIME } from '$lib/puzzles/series.svelte';

const RESULT: AttemptResult = { solved: true, counted: true, before: 1200, rating: 1300, puzzle: 1190 };

/**
 * Returns the state of a puzzle in which the player chooses among the given actions. Each choice has the index of the
 * next state, or null for a wrong action.
 */
const state = (choices: [string, number | null][]): PuzzleState => ({
  game: {} as PuzzleState['game'],
  played: [],
  choices: choices.map(([action, next]) => ({ action, value: next === null ? -9 : 9, next }))
});

const PUZZLE = {
  id: '0123456789ab',
  states: [state([['Ac', 1], ['Kc', null]]), state([['Qd', 2], ['7d', null]]), state([])] // prettier-ignore
} as Puzzle;

/**
 * Creates an attempt at a puzzle, and a list of the action sequences that the attempt sends to the simulated server.
 */
function attempt() {
  const reports: string[][] = [];
  const run = new Run(PUZZLE, ({ id }, actions) => {
    expect(id).toBe(PUZZLE.id);
    reports.push(actions);
    return Promise.resolve(RESULT);
  });
  return { run, reports };
}

describe('an attempt', () => {
  test('follows right actions to the end and reports them once', async () => {
    const { run, reports } = attempt();
    run.act('Ac');
    expect([run.stage, run.at]).toEqual(['open', 1]);
    run.act('Qd');
    expect([run.stage, run.at]).toEqual(['solved', 2]);
    run.act('Qd');
    run.giveUp();
    await Promise.resolve();
    expect(reports).toEqual([['Ac', 'Qd']]);
    expect(run.result).toEqual(RESULT);
  });

  test('can be sent again after a lost answer', async () => {
    let sent = 0;
    const run = new Run(PUZZLE, () =>
      ++sent === 1 ? Promise.reject(new Error('lost')) : Promise.resolve(RESULT)
    );
    run.act('Kc');
    await Promise.resolve();
    await Promise.resolve();
    expect([run.problem === null, run.result]).toEqual([false, null]);
    run.send();
    await Promise.resolve();
    expect([sent, run.problem, run.result]).toEqual([2, null, RESULT]);
  });

  test('ends at a wrong action, and ignores actions that are no choice', () => {
    const { run, reports } = attempt();
    run.act('As');
    expect(run.stage).toBe('open');
    run.act('Kc');
    expect([run.stage, run.at, run.wrong]).toEqual(['wrong', 0, 'Kc']);
    expect(reports).toEqual([['Kc']]);
  });

  test('asks what answers a wrong action, after the actions of both', async () => {
    const played = [{ seat: 'first', action: 'Ac' }, { seat: 'second', action: '7c' }] as const; // prettier-ignore
    const states = [PUZZLE.states[0], { ...PUZZLE.states[1], played }, PUZZLE.states[2]];
    const replies: PlayedAction[] = [{ seat: 'first', action: 'Th' }, { seat: 'second', action: 'Qh' }]; // prettier-ignore
    const lines: string[][] = [];
    const run = new Run(
      { ...PUZZLE, states } as Puzzle,
      () => Promise.resolve(RESULT),
      (_, line) => {
        lines.push(line);
        return Promise.resolve(replies);
      }
    );
    run.act('Ac');
    run.act('7d');
    await Promise.resolve();
    expect(lines).toEqual([['Ac', '7c', '7d']]);
    expect(run.refutation).toEqual(replies);
  });

  test('reports nothing but the earlier actions when the solver gives up', () => {
    const { run, reports } = attempt();
    run.act('Ac');
    run.giveUp();
    expect([run.stage, run.wrong]).toEqual(['shown', null]);
    expect(reports).toEqual([['Ac']]);
  });
});

describe('the solution', () => {
  test('names all right actions of each decision, and both seats in the main line', () => {
    const played = (...actions: string[]) => actions.map((action) => ({ seat: 'first' as const, action }));
    const states = [
      state([['7c', null], ['Ac', 1], ['Kc', 3]]), // prettier-ignore
      { ...state([['Qd', 2], ['7d', null]]), played: played('Ac', 'Tc', 'Ts') }, // prettier-ignore
      { ...state([]), played: played('Qd', 'Kd') },
      { ...state([]), played: played('Kc', 'Tc') }
    ];
    expect(stepsOf({ states })).toEqual([
      { action: 'Ac', also: ['Kc'] },
      { action: 'Tc', also: [] },
      { action: 'Ts', also: [] },
      { action: 'Qd', also: [] },
      { action: 'Kd', also: [] }
    ]);
  });
});

describe('a series', () => {
  const choice = { rules: 'bga', theme: null };
  const tried = (rating: number, solved: boolean) => ({ id: '0123456789ab', rating, solved });

  test('asks for puzzles near the own rating while training', () => {
    expect(new Series({ ...choice, mode: 'train', theme: 'wait' }, 0).wanted).toEqual({
      rules: 'bga',
      theme: 'wait'
    });
  });

  test('a streak rises until the first mistake', () => {
    const streak = new Series({ ...choice, mode: 'streak' }, 0);
    const first = streak.wanted.rating ?? 0;
    streak.count(tried(430, true));
    expect(streak.wanted.rating).toBeGreaterThan(first);
    // The next puzzle is harder than the last tried puzzle.
    expect(streak.wanted.above).toBe(430);
    streak.count(tried(510, false));
    streak.count(tried(600, true));
    expect(streak.tried.map(({ rating, solved }) => [rating, solved])).toEqual([[430, true], [510, false]]); // prettier-ignore
    expect([streak.over, streak.score]).toEqual([true, 1]);
  });

  test('each streak and storm is a run of its own, and training is none', () => {
    const runs = [...MODES, ...MODES].map((mode) => new Series({ ...choice, mode }, 0).run);
    expect(new Set(runs).size).toBe(5);
    // Format in which the server accepts the id of a streak or storm.
    const form = (mode: string) => expect.stringMatching(new RegExp(`^${mode}:[A-Za-z0-9_-]{8,64}$`));
    const expected = [undefined, form('streak'), form('storm')];
    expect(runs).toEqual([...expected, ...expected]);
  });

  test('a storm goes on after mistakes and has a time', () => {
    const storm = new Series({ ...choice, mode: 'storm' }, 1_000);
    storm.count(tried(400, false));
    storm.count(tried(440, true));
    expect(storm.wanted.above).toBeUndefined();
    expect(storm.tried.map(({ solved }) => solved)).toEqual([false, true]);
    expect([storm.over, storm.score, storm.ends]).toEqual([false, 1, 1_000 + STORM_TIME]);
  });
});

test('the graph of the rating has its two labels if all ratings are equal', () => {
  const latest = [1500.1, 1500.2].map((rating) => ({ rating })) as PuzzleOverview['latest'];
  render(RatingGraph, { latest });
  const labels = [...screen.getByTestId('progress').querySelectorAll('text')];
  expect(labels.map(({ textContent }) => textContent)).toEqual(['1500', '1500']);
  cleanup();
});
