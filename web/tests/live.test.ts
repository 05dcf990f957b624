// Tests the client of a match against a local server that loses messages on request.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MatchState } from '$lib/api/types';
import type { Timing } from '$lib/game/connection';
import type { LiveMatch } from '$lib/game/live.svelte';
import { returnTime } from '$lib/net/socket';
import { following, overmated } from './fixtures';
import { ClientSocket, MatchServer } from './support/server';

/** Time settings of a match's connection that are short enough for tests. */
const TIMING: Timing = {
  resend: 60,
  ping: 20,
  silence: 1000,
  trial: 150,
  wake: 100,
  pause: 10,
  longestPause: 40,
  waitSeconds: 0.2,
  pollPause: 10,
  pollRetry: 20
};

let server: MatchServer;
let stops: (() => void)[] = [];

beforeEach(async () => {
  server = new MatchServer(following.match);
  await server.start();
  (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(server.url);
  vi.stubGlobal('WebSocket', ClientSocket);
  // Each test loads the modules of the web client again. The API client reads the URL of the page when its module is
  // loaded.
  vi.resetModules();
});

afterEach(async () => {
  for (const stop of stops) stop();
  stops = [];
  await server.end();
  vi.unstubAllGlobals();
});

/** Creates a live match, and connects the match to the simulated server as a page does. */
async function open(timing: Partial<Timing> = {}, first: MatchState = server.state): Promise<LiveMatch> {
  const { LiveMatch } = await import('$lib/game/live.svelte');
  const live = new LiveMatch(first.id, null, first, { ...TIMING, ...timing });
  stops.push(live.start());
  return live;
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 });
const linked = (live: LiveMatch, link: LiveMatch['link']) => until(() => expect(live.link).toBe(link));
/** Waits until the server has confirmed the sent action and the state after the action has arrived. */
const settled = (live: LiveMatch) =>
  until(() => {
    expect(live.pending).toBeNull();
    expect(live.state?.sequence).toBe(server.state.sequence);
  });

describe('the connection of a match', () => {
  it('hears changes over the WebSocket', async () => {
    const live = await open();
    await linked(live, 'live');
    server.change({ totals: { a: 28, b: 0 } });
    await until(() => expect(live.state?.totals.a).toBe(28));
  });

  it('keeps each message of the players once, and shows only later ones as new', async () => {
    const live = await open();
    await linked(live, 'live');
    const line = (number: number) => ({
      number,
      player: 'b',
      text: `text ${number}`,
      at: '2026-11-21T10:00:00Z'
    });
    const numbers = () => live.talk.map(({ number }) => number);
    server.send({ t: 'talk', lines: [line(1), line(2)] });
    await until(() => expect(numbers()).toEqual([1, 2]));
    expect(live.told).toBeNull();
    const here = { kind: 'here', since: null };
    server.send({ t: 'presence', a: here, b: here });
    server.send({ t: 'talk', lines: [line(2), line(4)] });
    await until(() => expect(live.told?.number).toBe(4));
    live.hear([{ ...line(3), player: 'a' }]);
    expect(numbers()).toEqual([1, 2, 3, 4]);
    // After a lost connection, the server sends all messages again, and the page must not announce them as new.
    server.dropSockets();
    await linked(live, 'connecting');
    await linked(live, 'live');
    server.send({ t: 'talk', lines: [line(1), line(2), line(3), line(4), line(5)] });
    await until(() => expect(numbers()).toEqual([1, 2, 3, 4, 5]));
    expect(live.told?.number).toBe(4);
  });

  it('counts the messages of the opponent that the player has neither read nor answered', async () => {
    server.change({ you: 'a' });
    const live = await open();
    await linked(live, 'live');
    const line = (number: number, player: 'a' | 'b' = 'b') => ({
      number,
      player,
      text: 'text',
      at: '2026-11-21T10:00:00Z'
    });
    live.hear([line(1), line(2)]);
    expect(live.unread).toBe(2);
    live.readAll();
    expect(live.unread).toBe(0);
    live.hear([line(3), line(4)]);
    expect(live.unread).toBe(2);
    live.hear([line(5, 'a'), line(6)]);
    expect(live.unread).toBe(1);
    live.readAll();
    // After a mute, the list of chat messages lacks the messages of the opponent. The messages do not become new
    // again after the mute.
    live.talk = [];
    live.readAll();
    live.hear([line(6)]);
    expect(live.unread).toBe(0);
    const again = await open();
    again.hear([line(6), line(7)]);
    expect(again.unread).toBe(1);
  });

  it('shows the presence again after a short loss that the WebSocket survives', async () => {
    const live = await open();
    await linked(live, 'live');
    const here = { kind: 'here', since: null };
    server.send({ t: 'presence', a: here, b: here });
    await until(() => expect(live.presence?.b.kind).toBe('here'));
    dispatchEvent(new Event('offline'));
    await linked(live, 'offline');
    expect(live.presence).toBeNull();
    // After the return of the network, the page shows the last known presence of the opponent, because the server
    // reports only changes of the presence.
    dispatchEvent(new Event('online'));
    await linked(live, 'live');
    expect(live.presence?.b.kind).toBe('here');
    expect(server.opened).toBe(1);
    server.dropSockets();
    await until(() => expect(server.opened).toBe(2));
    await linked(live, 'live');
    expect(live.presence).toBeNull();
  });

  it('opens a new WebSocket after a lost one', async () => {
    const live = await open();
    await linked(live, 'live');
    server.dropSockets();
    await linked(live, 'connecting');
    server.change({ totals: { a: 5, b: 0 } });
    await linked(live, 'live');
    expect(live.state?.totals.a).toBe(5);
  });

  it('comes back at the time that a stopping server chose', async () => {
    const live = await open();
    await linked(live, 'live');
    const timers = vi.spyOn(globalThis, 'setTimeout');
    server.closeSockets(1012, 'the server is stopping: connect again; retry-after-ms=7000');
    // The test accepts a slightly longer reconnection delay, because the connection adds a short pause to the delay
    // that the server chose.
    await until(() => {
      const pauses = timers.mock.calls.map(([, ms]) => ms ?? 0);
      expect(pauses.filter((ms) => ms > 7000 && ms < 7100)).toHaveLength(1);
    });
    timers.mockRestore();
    await linked(live, 'connecting');
    dispatchEvent(new Event('online'));
    await linked(live, 'live');
  });

  it('reads the time to come back from a restart only, and bounds it', () => {
    expect(returnTime(1012, 'connect again; retry-after-ms=250')).toBe(250);
    expect(returnTime(1012, 'retry-after-ms=99999999')).toBe(60_000);
    expect(returnTime(1012, '')).toBeNull();
    expect(returnTime(1012, 'retry-after-ms=soon')).toBeNull();
    expect(returnTime(1008, 'retry-after-ms=250')).toBeNull();
  });

  it('replaces a WebSocket that has fallen silent', async () => {
    const live = await open({ silence: 60 });
    await linked(live, 'live');
    server.silence();
    await until(() => expect(server.opened).toBe(2));
    server.change({ totals: { a: 3, b: 0 } });
    await until(() => expect(live.state?.totals.a).toBe(3));
  });

  it('polls while WebSockets are refused, and returns to them afterwards', async () => {
    server.sockets = 'refuse';
    const live = await open();
    await linked(live, 'polling');
    server.change({ totals: { a: 7, b: 0 } });
    await until(() => expect(live.state?.totals.a).toBe(7));
    server.sockets = 'serve';
    await linked(live, 'live');
  });

  it('polls when a WebSocket opens and brings no state', async () => {
    server.sockets = 'ignore';
    const live = await open();
    await linked(live, 'polling');
  });

  it('ends when the match is gone, and is tried once when the page is shown again', async () => {
    const live = await open();
    await linked(live, 'live');
    server.gone = true;
    server.dropSockets();
    await until(() => expect(live.problem?.code).toBe('not-found'));
    const rest = () => new Promise((resolve) => setTimeout(resolve, 10 * TIMING.longestPause));
    for (let shown = 0; shown < 2; shown += 1) {
      await rest();
      const before = [server.tried, server.reads];
      await rest();
      expect([server.tried, server.reads]).toEqual(before);
      document.dispatchEvent(new Event('visibilitychange'));
      await until(() => expect(server.tried).toBe(before[0]! + 1));
    }
    await rest();
    server.gone = false;
    document.dispatchEvent(new Event('visibilitychange'));
    await linked(live, 'live');
  });

  it('plays over HTTP while WebSockets are refused', async () => {
    server.sockets = 'refuse';
    const live = await open();
    live.act('Kd');
    await settled(live);
    expect([...server.done.values()]).toEqual(['Kd']);
  });
});

describe('an action', () => {
  it('stays pending until its state arrives, and lets no second action through', async () => {
    const live = await open();
    await linked(live, 'live');
    live.act('Kd');
    live.act('Td');
    expect(live.pending?.action).toBe('Kd');
    await settled(live);
    expect([...server.done.values()]).toEqual(['Kd']);
  });

  it('is sent again under the same id when the way there loses it', async () => {
    server.loseActs = 1;
    const live = await open();
    await linked(live, 'live');
    live.act('Kd');
    await settled(live);
    expect(server.arrived).toHaveLength(1);
    expect(server.done.size).toBe(1);
  });

  it('is carried out once when answers are lost', async () => {
    server.loseAnswers = 3;
    const live = await open();
    await linked(live, 'live');
    live.act('Kd');
    await settled(live);
    expect(server.arrived.length).toBeGreaterThanOrEqual(4);
    expect(new Set(server.arrived).size).toBe(1);
    expect(server.done.size).toBe(1);
  });

  it('is sent again over a new WebSocket', async () => {
    server.loseActs = 1;
    const live = await open({ resend: 60_000 });
    await linked(live, 'live');
    live.act('Kd');
    await until(() => expect(server.loseActs).toBe(0));
    server.dropSockets();
    await settled(live);
    expect(server.done.size).toBe(1);
  });

  it('outlives the page and is sent under the same id by the next page', async () => {
    server.loseActs = 1;
    const before = await open({ resend: 60_000 });
    await linked(before, 'live');
    before.act('Kd');
    const id = before.pending?.client_id ?? '';
    await until(() => expect(server.loseActs).toBe(0));
    stops.pop()?.();
    const live = await open();
    expect(live.pending?.client_id).toBe(id);
    await settled(live);
    expect([...server.done.keys()]).toEqual([id]);
  });

  it('of a browser that was signed out is refused, until the browser is signed in again', async () => {
    server.sockets = 'refuse';
    const live = await open();
    await linked(live, 'polling');
    server.signedOut = true;
    live.act('Kd');
    await until(() => expect(live.problem?.code).toBe('signed-out'));
    const before = server.reads;
    await live.refresh();
    expect(server.reads).toBeGreaterThan(before);
    expect(live.problem?.code).toBe('signed-out');
    server.signedOut = false;
    await live.refresh();
    expect(live.problem).toBeNull();
  });

  it('that comes too late shows the conflict and the state of the server', async () => {
    const live = await open();
    await linked(live, 'live');
    server.state = { ...server.state, sequence: server.state.sequence + 1, totals: { a: 9, b: 0 } };
    live.act('Kd');
    await settled(live);
    expect(live.problem?.code).toBe('conflict');
    expect(live.state?.totals.a).toBe(9);
    expect(server.done.size).toBe(0);
  });
});

describe('a state', () => {
  it('that is older than the known one is dropped', async () => {
    const live = await open();
    await linked(live, 'live');
    server.change({ totals: { a: 4, b: 0 } });
    await until(() => expect(live.state?.totals.a).toBe(4));
    server.tell(following.match);
    server.change({ totals: { a: 4, b: 11 } });
    await until(() => expect(live.state?.totals).toEqual({ a: 4, b: 11 }));
  });

  it('with only the new finished games is completed from the known ones', async () => {
    server.state = overmated.match;
    const live = await open();
    await linked(live, 'live');
    const reads = server.reads;
    server.change({}, { finished: [], finished_from: 1 });
    await until(() => expect(live.state?.sequence).toBe(server.state.sequence));
    expect(live.state?.finished).toEqual(overmated.match.finished);
    expect(server.reads).toBe(reads);
  });

  it('with a gap in the finished games is read as a whole', async () => {
    server.state = overmated.match;
    const live = await open({}, { ...overmated.match, finished: [], sequence: 0 });
    await linked(live, 'live');
    await until(() => expect(live.state?.finished).toHaveLength(1));
    const first = { ...overmated.match, finished: [], sequence: 0 };
    live.state = first;
    const reads = server.reads;
    server.change({}, { finished: [], finished_from: 1 });
    await until(() => expect(live.state?.finished).toEqual(overmated.match.finished));
    expect(server.reads).toBe(reads + 1);
  });
});

describe('a request such as undo', () => {
  it('takes over the state of its answer, with fewer steps', async () => {
    const live = await open();
    await linked(live, 'live');
    const { sequence, current } = server.state;
    const shorter: MatchState = {
      ...server.state,
      sequence: sequence + 1,
      current: { ...current, steps: current.steps.slice(0, -1) }
    };
    const asked: string[] = [];
    const undone = await live.ask('undo', async (id, client_id) => {
      asked.push(id, client_id);
      expect(live.asking).toBe('undo');
      // While a player's request for an undo is unanswered, a second request is refused.
      expect(await live.ask('undo', () => Promise.reject(new Error('asked twice')))).toBe(false);
      return shorter;
    });
    expect(undone).toBe(true);
    expect(asked).toEqual([live.id, expect.any(String)]);
    expect(live.state?.current.steps).toHaveLength(current.steps.length - 1);
    expect(live.asking).toBeNull();
  });

  it('waits for a hint that is still awaited', async () => {
    const live = await open();
    await linked(live, 'live');
    const ended = { ...server.state, sequence: server.state.sequence + 1 };
    const hints: ((hint: string) => void)[] = [];
    const hinted = live.once('hint', () => new Promise<string>((resolve) => hints.push(resolve)));
    const order: string[] = [];
    const resigned = live.ask('resign', () => {
      order.push('resign');
      return Promise.resolve(ended);
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(live.asking).toBe('hint');
    order.push('hint');
    hints[0]?.('Ac');
    expect(await hinted).toBe('Ac');
    expect(await resigned).toBe(true);
    expect(order).toEqual(['hint', 'resign']);
    expect(live.state?.sequence).toBe(ended.sequence);
    expect(live.asking).toBeNull();
  });
});
