// Tests the texts on tournament events and their matches, and the page with the list of events.
import { cleanup, render, screen } from '@testing-library/svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import { noteServerTime } from '$lib/api/servertime';
import type { EventSummary, EventView, MatchSummary, OutcomeState, SeenEvent } from '$lib/api/types';
import { OwnEvents } from '$lib/events/own.svelte';
import { awaySays, begunSays, kindSays, waitSays } from '$lib/events/words';
import { resultSays } from '$lib/table/status';
import { outcomeSays } from '$lib/text/words';
import EventsPage from '../src/routes/events/+page.svelte';
import { following } from './fixtures';

const api = vi.hoisted(() => ({ listEvents: vi.fn(), myAccount: vi.fn(), readEvent: vi.fn() }));
vi.mock('$lib/api/api', () => api);

describe('a match that ended before both players had acted', () => {
  const result = { winner: null, margin: 0, resigned: 'a', out_of_time: null, abandoned: true } as const;
  const match = { ...following.match, you: 'b', result, shared_deal: null } as const;
  const by = match.current.first === 'a' ? 'first' : 'second';
  const sums = {
    card: null,
    move: null,
    multiplier: null,
    points: 0,
    points_for_first: 0,
    sum: null,
    value: null
  };
  const outcome: OutcomeState = { kind: 'resigned', by, ...sums };

  it('is not counted outside of events', () => {
    expect(resultSays(match).title).toBe('Not counted');
    expect(outcomeSays(match, match.current, outcome)).toMatch(/ resigns the match\.$/);
  });

  it('counts in an event, and names no resignation', () => {
    const counted = { ...match, shared_deal: 'event-1' } as const;
    expect(resultSays({ ...counted, you: 'a' })).toEqual({
      title: 'Given up',
      by: expect.stringMatching(/^You gave up or did not act in time.* You lose at least 20 points/)
    });
    expect(resultSays(counted).by).toMatch(/ gave up or did not act in time.* loses at least 20 points/);
    expect(outcomeSays(counted, match.current, outcome)).toMatch(/ gave up or did not act in time\.$/);
  });
});

/** Returns a Swiss event of three players in a round in which player 3 has a bye. */
function swissIn(round: number): EventView {
  const kind = { kind: 'swiss', rounds: 3 } as const;
  const event: Partial<EventSummary> = { kind, round, state: 'running' };
  const board = { forfeit: null, place: 0, points: null, round };
  const boards = [
    { ...board, number: 1, a: 1, b: 2 },
    { ...board, number: 2, a: 3, b: null }
  ];
  return { event, boards } as EventView;
}

describe('a player who waits in a Swiss event', () => {
  it('reads when the next round begins, and of a bye', () => {
    expect(waitSays(swissIn(1), 1)).toMatch(/^The next round begins/);
    expect(waitSays(swissIn(1), 3)).toMatch(/^You have a bye in this round. The next round begins/);
  });

  it('reads of the end in the last round, and of no further pairings after a break', () => {
    expect(waitSays(swissIn(3), 1)).toBe('The event ends when all matches of this round are over.');
    expect(awaySays(swissIn(2))).toMatch(/paired again when you come back\. If fewer than two/);
    expect(awaySays(swissIn(3))).not.toMatch(/paired again/);
  });
});

it('The texts of an arena follow the clock of the server', () => {
  const times = { kind: { kind: 'arena', minutes: 60 }, ends_at: '2026-11-20T12:00:00Z', state: 'running' };
  const arena = { event: times, boards: [] } as unknown as EventView;
  for (const [date, pairs] of [
    ['Fri, 20 Nov 2026 11:00:00 GMT', true],
    ['Fri, 20 Nov 2026 13:00:00 GMT', false]
  ] as const) {
    noteServerTime(new Response(null, { headers: { date } }));
    expect(waitSays(arena, 1)).toMatch(pairs ? /^You will be paired soon/ : /^The time is over/);
    expect(awaySays(arena).includes('paired again')).toBe(pairs);
    // An arena ends by the clock alone, also with fewer than two players.
    expect(awaySays(arena)).not.toMatch(/fewer than two|after its last match/);
  }
  noteServerTime(new Response(null, { headers: { date: new Date().toUTCString() } }));
});

it('A Swiss event that ended without players names no rounds', () => {
  const event = swissIn(0).event;
  expect(kindSays(event)).toBe('Swiss event of 3 rounds');
  expect(kindSays({ ...event, kind: { kind: 'swiss', rounds: 0 } })).toBe('Swiss event');
});

/** Returns a Swiss event as player 1 sees the event, with the id of the player's running match. */
function seenBy(version: number, match: string | null, state: EventSummary['state'] = 'running'): SeenEvent {
  const shown = swissIn(1);
  const standings = [
    { number: 1, handle: 'Ada' },
    { number: 2, handle: 'Bea' }
  ] as EventView['standings'];
  const event = { ...shown.event, id: 'e', title: 'Friday', state };
  return {
    shown: { ...shown, version, event, standings },
    you: { host: false, match, number: 1, present: true }
  };
}

describe('a match of the player in an event', () => {
  it('is told with the event and the opponent until the player opens the match, in all tabs', () => {
    const [tab, other] = [new OwnEvents(), new OwnEvents()];
    tab.note(seenBy(1, null));
    expect(tab.begun).toEqual([]);
    tab.note(seenBy(2, 'first'));
    expect(tab.begun.map(begunSays)).toEqual(['Your match in “Friday” against Bea has begun.']);
    dispatchEvent(new StorageEvent('storage', { key: 'overmate.events' }));
    other.note(seenBy(2, 'first'));
    expect(other.begun).toHaveLength(1);
    tab.open('another');
    expect(tab.begun).toHaveLength(1);
    tab.open('first');
    dispatchEvent(new StorageEvent('storage', { key: 'overmate.events' }));
    expect([tab.begun, other.begun]).toEqual([[], []]);
    tab.note(seenBy(3, 'second'));
    expect(tab.begun).toHaveLength(1);
  });

  it('is told in a browser that knows the event only from the list of matches', () => {
    const tab = new OwnEvents();
    const over = { winner: null } as MatchSummary['result'];
    tab.follow([
      { shared_deal: null, result: null },
      { shared_deal: 'event-f', result: over }
    ]);
    expect(tab.ids).toBe('');
    tab.follow([{ shared_deal: 'event-e', result: null }]);
    expect(tab.ids).toBe('e');
    tab.note(seenBy(2, 'first'));
    expect(tab.begun).toHaveLength(1);
    tab.open('first');
    tab.follow([{ shared_deal: 'event-e', result: null }]);
    expect(tab.begun).toEqual([]);
  });

  it('is told no more when it is over, and a late answer does not bring it back', () => {
    const tab = new OwnEvents();
    tab.note(seenBy(2, 'first'));
    tab.note(seenBy(3, null));
    tab.note(seenBy(2, 'first'));
    expect(tab.begun).toEqual([]);
  });

  it('is found on a later page, until the event has ended or is gone', async () => {
    new OwnEvents().note(seenBy(1, null));
    const next = new OwnEvents();
    expect(next.ids).toBe('e');
    api.readEvent.mockResolvedValueOnce(seenBy(2, 'first'));
    const stop = next.watch();
    await vi.waitFor(() => expect(next.begun).toHaveLength(1));
    stop();
    next.note(seenBy(3, null, 'finished'));
    expect(next.ids).toBe('');
    next.note(seenBy(4, null));
    api.readEvent.mockRejectedValueOnce(new Problem('not-found', '', 404));
    next.watch()();
    await vi.waitFor(() => expect(new OwnEvents().ids).toBe(''));
  });
});

describe('the page of events', () => {
  afterEach(cleanup);

  it('asks for the account again when the page is shown or the list is requested again', async () => {
    const offline = new Problem('offline', '');
    for (const again of [
      () => document.dispatchEvent(new Event('visibilitychange')),
      () => screen.getByRole('button', { name: 'Try again' }).click()
    ]) {
      api.myAccount.mockReset().mockRejectedValueOnce(offline).mockResolvedValue(null);
      api.listEvents.mockReset().mockRejectedValueOnce(offline);
      api.listEvents.mockResolvedValue({ running: [], coming: [], finished: [] });
      render(EventsPage);
      await screen.findByTestId('problem');
      expect(screen.queryByTestId('need-account')).toBeNull();
      again();
      await screen.findByTestId('need-account');
      cleanup();
    }
  });

  it('has a button to ask again if only the request for the account failed', async () => {
    api.myAccount
      .mockReset()
      .mockRejectedValueOnce(new Problem('internal', '', 500))
      .mockResolvedValue(null);
    api.listEvents.mockReset().mockResolvedValue({ running: [], coming: [], finished: [] });
    render(EventsPage);
    (await screen.findByRole('button', { name: 'Try again' })).click();
    await screen.findByTestId('need-account');
    expect(screen.queryByTestId('problem')).toBeNull();
    expect(api.listEvents).toHaveBeenCalledTimes(1);
  });
});
