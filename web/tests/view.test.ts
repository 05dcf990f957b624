// Tests which position of a match the table shows, and the pauses between the shown actions, with a simulated clock.
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameState, MatchState } from '$lib/api/types';
import { TableView } from '$lib/game/view.svelte';
import { change } from '$lib/settings.svelte';
import { overmated } from './fixtures';
import { ShownMatch } from './support/shown.svelte';

const finished = overmated.match.finished[0] as GameState;
/** State of a recorded match between the players A and B, as A sees it. */
const match: MatchState = { ...overmated.match, you: 'a' };

/** Returns the recorded match after the first `steps` actions of its first game. */
function running(steps: number): MatchState {
  const current = { ...finished, steps: finished.steps.slice(0, steps), outcome: null };
  return { ...match, sequence: steps, finished: [], current };
}

let shown: ShownMatch;
let stop: () => void = () => {};

/**
 * Creates a `TableView` (the state of a game table on the page), and runs the Svelte effect by which the view follows
 * the match.
 */
function open(first: MatchState): TableView {
  shown = new ShownMatch(first);
  const view = new TableView(() => shown.match);
  stop = ShownMatch.follow(view);
  flushSync();
  return view;
}

function show(match: MatchState): void {
  shown.match = match;
  flushSync();
}

function wait(ms: number): void {
  vi.advanceTimersByTime(ms);
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers();
  change({ speed: 'normal' });
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('a view that follows the present', () => {
  it('opens at the latest step', () => {
    const view = open(running(5));
    expect(view.at).toBe(5);
    expect(view.present).toBe(true);
  });

  it('shows the steps of the opponent one by one and the own steps at once', () => {
    const steps = finished.steps;
    const own = (at: number) => (steps[at]?.seat === 'first') === (finished.first === 'a');
    const view = open(running(2));
    show(running(6));
    let waited = 0;
    for (let at = 2; at < 6; at += 1) {
      if (!own(at)) {
        wait(699);
        expect(view.at, `before step ${at}`).toBe(at);
        expect(view.present).toBe(false);
        waited += 1;
      }
      wait(own(at) ? 0 : 1);
      expect(view.at, `after step ${at}`).toBe(at + 1);
    }
    expect(waited).toBeGreaterThan(0);
    expect(view.caughtUp).toBe(true);
  });

  it('skips to the latest step on request', () => {
    const view = open(running(2));
    show(running(9));
    view.skip();
    expect(view.at).toBe(9);
  });

  it('goes back with an undo inside a game', () => {
    const view = open(running(9));
    show(running(7));
    expect(view.at).toBe(7);
    expect(view.present).toBe(true);
  });

  it('goes back with an undo into the game before', () => {
    const view = open(match);
    view.toPresent();
    expect(view.gameIndex).toBe(1);
    show(running(20));
    expect(view.gameIndex).toBe(0);
    expect(view.at).toBe(20);
    expect(view.present).toBe(true);
  });
});

describe('the end of a game', () => {
  it('gives way to the result when the match ends without a next action', () => {
    const view = open(running(21));
    show(match);
    wait(10_000);
    expect([view.gameIndex, view.nextWaits]).toEqual([0, true]);
    const result = { winner: 'a', margin: 1, resigned: 'b' } as NonNullable<MatchState['result']>;
    show({ ...match, result });
    expect([view.gameIndex, view.nextWaits, view.present]).toEqual([1, false, true]);
  });

  it('stays until the player goes on, then the hands are gathered and cross the table', () => {
    const view = open(running(21));
    show(match);
    wait(10_000);
    expect(view.gameIndex).toBe(0);
    expect(view.at).toBe(finished.steps.length);
    expect(view.nextWaits).toBe(true);
    view.next();
    expect(view.exchange).toBe('gather');
    expect(view.present).toBe(false);
    wait(700);
    expect(view.exchange).toBe('cross');
    wait(1000);
    expect(view.exchange).toBeNull();
    expect([view.gameIndex, view.at]).toEqual([1, 0]);
  });

  it('is shown to a reader who opens the match before the next game has begun', () => {
    const view = open(match);
    expect([view.gameIndex, view.at]).toEqual([0, finished.steps.length]);
    expect([view.nextWaits, view.present, view.settled]).toEqual([true, false, true]);
    view.next();
    expect(view.exchange).toBe('gather');
  });

  it('stays after the page was loaded again, even if the opponent has begun the next game', () => {
    const begun = { ...match, current: { ...match.current, steps: finished.steps.slice(0, 1) } };
    open(running(21));
    show(begun);
    stop();
    const again = open(begun);
    expect([again.gameIndex, again.at, again.nextWaits]).toEqual([0, finished.steps.length, true]);
    again.skip();
    again.next();
    wait(1700);
    expect(again.gameIndex).toBe(1);
    stop();
    expect(open(begun).gameIndex).toBe(1);
  });

  it('is passed over when the next game has begun, when the match is over, or while live clocks run', () => {
    const live = { setting: { kind: 'live' } } as NonNullable<MatchState['clocks']>;
    const begun = { ...match.current, steps: finished.steps.slice(0, 1) };
    const result = { winner: 'a', margin: 1, resigned: 'b' } as NonNullable<MatchState['result']>;
    for (const part of [{ current: begun }, { result }, { clocks: live }]) {
      const view = open({ ...match, ...part });
      expect(view.gameIndex, Object.keys(part)[0]).toBe(1);
      stop();
    }
  });

  it('leads to the next game at once when nothing may move', () => {
    change({ speed: 'none' });
    const view = open(running(21));
    show(match);
    view.skip();
    view.next();
    expect([view.gameIndex, view.at, view.exchange]).toEqual([1, 0, null]);
  });

  it('lets a click skip the exchange of hands', () => {
    const view = open(running(21));
    show(match);
    view.skip();
    view.next();
    view.skip();
    expect([view.gameIndex, view.exchange]).toEqual([1, null]);
    wait(5000);
    expect(view.gameIndex).toBe(1);
  });
});

describe('a view of the past', () => {
  it('stays where it is while the match goes on', () => {
    const view = open(running(5));
    view.back();
    expect([view.at, view.following, view.present]).toEqual([4, false, false]);
    show(running(8));
    wait(10_000);
    expect(view.at).toBe(4);
    view.toPresent();
    expect([view.at, view.present]).toEqual([8, true]);
  });

  it('steps through all games in both directions', () => {
    const view = open(match);
    view.toPresent();
    let steps = 0;
    while (view.gameIndex > 0 || view.at > 0) {
      view.back();
      steps += 1;
    }
    expect(steps).toBe(finished.steps.length + match.current.steps.length + 1);
    for (let step = 0; step < steps; step += 1) view.forward();
    expect(view.present).toBe(true);
    view.forward();
    expect(view.present).toBe(true);
  });

  it('shows the table after the chosen step', () => {
    const view = open(match);
    view.look(0, 3);
    expect(view.scene?.at).toBe(3);
    expect(view.scene?.last).toEqual(finished.steps[2]);
    view.look(7, 0);
    expect(view.gameIndex).toBe(0);
  });
});
