// Tests the watcher of the open offers: the announcements of ended offers in one tab and in two tabs, and the choice
// between a WebSocket and polls.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock, LobbyMessage, MadeOffer, Offer, OwnOffer } from '$lib/api/types';
import { Problem } from '$lib/api/problem';
import { moved, placed, GONE_STAYS, type Row } from '$lib/lobby/rows';
import { LobbyWatch } from '$lib/lobby/lobby.svelte';
import { noteAccount } from '$lib/people/known.svelte';
import { SOCKET_TIMING } from '$lib/net/socket';

const api = vi.hoisted(() => ({
  readLobby: vi.fn(),
  readMatch: vi.fn(),
  withdrawOffer: vi.fn(),
  declineChallenge: vi.fn()
}));
vi.mock('$lib/api/api', () => api);

/** Fake WebSocket over which the test sends messages in the role of the server. */
class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = FakeSocket.OPEN;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  closed = false;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(): void {}
  close(): void {
    this.closed = true;
  }
  tell(message: LobbyMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  static get latest(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error('no WebSocket was opened');
    return socket;
  }
}

const offer = (id: string, clock: Clock | null = null): Offer =>
  ({ id, rules: 'bga', rules_title: 'BGA', clock, seat: 'first', from: null }) as unknown as Offer;
const days: Clock = { kind: 'days', days: 3 };
const live = (id: string, match: string | null = null): OwnOffer => ({
  offer: offer(id),
  lasting: false,
  to: null,
  declined: false,
  match
});
const lasting = (id: string, match: string | null = null): OwnOffer => ({
  offer: offer(id, days),
  lasting: true,
  to: null,
  declined: false,
  match
});
const own = (...offers: OwnOffer[]): LobbyMessage => ({ t: 'own', own: offers });
const list = (...offers: Offer[]): LobbyMessage => ({ t: 'offers', offers, total: offers.length });

const TIMING = { ...SOCKET_TIMING, slow: 60_000, grace: 4000 };
let stops: (() => void)[] = [];

/** Creates a `LobbyWatch` (watcher of the open offers), which simulates a browser tab. */
function tab(): LobbyWatch {
  return new LobbyWatch(TIMING);
}
/** Connects a `LobbyWatch` (watcher of the open offers), and returns the fake WebSocket of the connection. */
function connect(watch: LobbyWatch): FakeSocket {
  stops.push(watch.watch());
  return FakeSocket.latest;
}
/**
 * Tells all simulated tabs that the browser's local storage has changed. A browser tells all tabs except the tab that
 * wrote.
 */
const stored = () => dispatchEvent(new StorageEvent('storage', { key: 'overmate.offers' }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetAllMocks();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the acceptance of an own offer', () => {
  it('is told until the match is over or removed', async () => {
    for (const end of [
      () => Promise.resolve({ result: {} }),
      () => Promise.reject(new Problem('not-found', ''))
    ]) {
      localStorage.clear();
      const watch = tab();
      const socket = connect(watch);
      socket.tell(own(live('one')));
      socket.tell(own(live('one', 'match')));
      api.readMatch
        .mockReset()
        .mockResolvedValueOnce({ result: null })
        .mockRejectedValueOnce(new Problem('offline', ''));
      api.readMatch.mockImplementation(end);
      const stop = watch.dismissAtEnd('one', 'match');
      await vi.advanceTimersByTimeAsync(TIMING.slow);
      expect(api.readMatch).toHaveBeenCalledTimes(2);
      expect(watch.accepted).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(TIMING.slow);
      expect(watch.accepted).toHaveLength(0);
      stop();
    }
  });
});

describe('the end of an own offer', () => {
  it('is told, until the reader makes another offer', () => {
    const watch = tab();
    const socket = connect(watch);
    socket.tell(own(live('one')));
    expect(watch.ended).toBeNull();
    socket.tell(own());
    expect(watch.ended).toBe('one');
    watch.add(live('two'));
    expect(watch.ended).toBeNull();
  });

  it('is not told if the acceptance of another offer is the reason', () => {
    const watch = tab();
    const socket = connect(watch);
    socket.tell(own(live('one'), live('two'), lasting('three')));
    socket.tell(own(live('one', 'match'), lasting('three')));
    expect(watch.ended).toBeNull();
    expect(watch.accepted.map(({ offer }) => offer.id)).toEqual(['one']);
    // The page announces the end of offer `three`. The acceptance of offer `one`, an offer of a live match, does not
    // end an offer of a match by correspondence.
    socket.tell(own(live('one', 'match')));
    expect(watch.ended).toBe('three');
  });

  it('is not told if the reader sits down, and told if the request fails', async () => {
    for (const succeeds of [true, false]) {
      localStorage.clear();
      const watch = tab();
      const socket = connect(watch);
      socket.tell(own(live('one'), live('late'), lasting('days')));
      const sitting = watch.sit(
        async () => {
          socket.tell(own(live('late'), lasting('days')));
          expect(watch.ended).toBeNull();
          if (!succeeds) throw new Problem('offer-gone', '');
        },
        () => true
      );
      await (succeeds ? sitting : expect(sitting).rejects.toMatchObject({ code: 'offer-gone' }));
      expect(watch.ended).toBe(succeeds ? null : 'one');
      // After the player has joined a live match, the page immediately hides the player's own offers of live matches.
      // The server reports the ends of these offers later.
      const open = watch.open.map(({ offer }) => offer.id);
      expect(open).toEqual(succeeds ? ['days'] : ['late', 'days']);
      watch.ended = null;
      socket.tell(own(lasting('days')));
      expect(watch.ended).toBe(succeeds ? null : 'late');
    }
  });

  it('is not told while one of two requests for a seat runs, and both requests get their answers', async () => {
    for (const succeeds of [true, false]) {
      localStorage.clear();
      const watch = tab();
      const socket = connect(watch);
      socket.tell(own(live('one')));
      const answers: ((isSeat: boolean) => void)[] = [];
      const request = () => new Promise<boolean>((resolve) => answers.push(resolve));
      const sitting = [0, 1].map(() => watch.sit(request, (isSeat) => isSeat));
      socket.tell(own());
      answers[0]?.(false);
      expect(await sitting[0]).toBe(false);
      expect(watch.ended).toBeNull();
      answers[1]?.(succeeds);
      expect(await sitting[1]).toBe(succeeds);
      expect(watch.ended).toBe(succeeds ? null : 'one');
    }
  });

  it('is told after the acceptance of an offer with days, which ends no other offer', async () => {
    const watch = tab();
    const socket = connect(watch);
    socket.tell(own(live('one')));
    await watch.sit(
      async () => {},
      () => false
    );
    socket.tell(own());
    expect(watch.ended).toBe('one');
  });

  it('is not told after a withdrawal, also if an older message comes late', async () => {
    const watch = tab();
    const socket = connect(watch);
    socket.tell(own(live('one')));
    socket.tell(list(offer('one'), offer('theirs')));
    api.withdrawOffer.mockResolvedValue(null);
    await watch.withdraw('one');
    socket.tell(own(live('one')));
    socket.tell(list(offer('one'), offer('theirs')));
    expect(watch.open).toEqual([]);
    expect(watch.offers?.map(({ id }) => id)).toEqual(['theirs']);
    expect(watch.total).toBe(1);
    socket.tell(own());
    expect(watch.ended).toBeNull();
  });

  it('is told after a withdrawal that failed', async () => {
    const watch = tab();
    const socket = connect(watch);
    socket.tell(own(live('one')));
    api.withdrawOffer.mockRejectedValue(new Problem('offline', ''));
    await expect(watch.withdraw('one')).rejects.toMatchObject({ code: 'offline' });
    expect(watch.open).toHaveLength(1);
    socket.tell(own());
    expect(watch.ended).toBe('one');
  });

  it('is told later if the offer is so new that the message may be older', () => {
    const watch = tab();
    connect(watch);
    watch.add(live('one'));
    FakeSocket.latest.tell(own());
    FakeSocket.latest.tell(list());
    expect([watch.open.length, watch.ended]).toEqual([1, null]);
    vi.advanceTimersByTime(TIMING.grace + 1);
    expect([watch.open.length, watch.ended]).toEqual([0, 'one']);
  });
});

describe('two tabs', () => {
  it('learn of an offer that the other tab has made, and of its end after the other tab is closed', () => {
    const [one, other] = [tab(), tab()];
    expect(other.needs).toBe('nothing');
    one.add(live('one'));
    stored();
    expect(other.needs).toBe('live');
    const socket = connect(other);
    socket.tell(own());
    expect(other.ended).toBe('one');
  });

  it('tell nothing of an offer that the other tab has withdrawn', async () => {
    const [one, other] = [tab(), tab()];
    const socket = connect(other);
    one.add(live('one'));
    stored();
    socket.tell(own(live('one')));
    let answer: (match: null) => void = () => {};
    api.withdrawOffer.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const withdrawn = one.withdraw('one');
    stored();
    socket.tell(own());
    answer(null);
    await withdrawn;
    expect([other.ended, other.open.length]).toEqual([null, 0]);
  });

  it('show an offer no more that was withdrawn in the other tab, before the server tells of it', async () => {
    const [one, other] = [tab(), tab()];
    for (const socket of [one, other].map(connect)) socket.tell(own(live('one'), lasting('two')));
    api.withdrawOffer.mockResolvedValue(null);
    await one.withdraw('one');
    stored();
    for (const watch of [one, other])
      expect([watch.open.map(({ offer }) => offer.id), watch.needs]).toEqual([['two'], 'slow']);
  });

  it('both tell of an end of which both hear', () => {
    const tabs = [tab(), tab()];
    const sockets = tabs.map(connect);
    for (const socket of sockets) socket.tell(own(live('one')));
    stored();
    for (const socket of sockets) {
      socket.tell(own());
      stored();
    }
    expect(tabs.map(({ ended }) => ended)).toEqual(['one', 'one']);
    expect(tabs.map(({ needs }) => needs)).toEqual(['nothing', 'nothing']);
  });

  it('hide an acceptance that was dismissed in the other tab', () => {
    const [one, other] = [tab(), tab()];
    for (const socket of [one, other].map(connect)) {
      socket.tell(own(live('one')));
      socket.tell(own(live('one', 'match')));
    }
    expect(other.accepted).toHaveLength(1);
    one.dismiss('one');
    stored();
    expect(other.accepted).toHaveLength(0);
  });
});

describe('the watch', () => {
  it('is needed at once for a live offer, slowly for an offer with days, and not after acceptance', () => {
    const watch = tab();
    const socket = connect(watch);
    const needs = [own(live('one'), lasting('two')), own(live('one', 'match'), lasting('two'))].map(
      (message) => {
        socket.tell(message);
        return watch.needs;
      }
    );
    socket.tell(own(live('one', 'match'), lasting('two', 'other')));
    expect([...needs, watch.needs]).toEqual(['live', 'slow', 'nothing']);
    expect(watch.accepted).toHaveLength(2);
  });

  it('polls slowly without a WebSocket', async () => {
    const watch = tab();
    watch.add(lasting('one'));
    const answer = { offers: [offer('theirs')], total: 1, own: [lasting('one', 'match')], challenges: [] };
    api.readLobby.mockResolvedValue(answer);
    const stop = watch.watchSlowly();
    await vi.advanceTimersByTimeAsync(TIMING.slow + 1);
    stop();
    await vi.advanceTimersByTimeAsync(3 * TIMING.slow);
    expect(api.readLobby).toHaveBeenCalledTimes(1);
    expect(watch.accepted).toHaveLength(1);
    expect(watch.offers).toBeNull();
    expect(FakeSocket.all).toHaveLength(0);
  });

  it('forgets the list when nobody watches, so that old rows cannot be pressed', () => {
    const watch = tab();
    const stop = watch.watch();
    FakeSocket.latest.tell(list(offer('theirs')));
    expect(watch.offers).toHaveLength(1);
    stop();
    expect(watch.offers).toBeNull();
    expect(FakeSocket.latest.closed).toBe(true);
  });

  it('discards the answer to a poll that began before a newer message', async () => {
    const watch = tab();
    connect(watch);
    const made: MadeOffer['own'] = live('one');
    let answer: (lobby: unknown) => void = () => {};
    api.readLobby.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    // If no message proves within the time limit that a new WebSocket works, the page polls the server.
    vi.advanceTimersByTime(TIMING.trial + 1);
    expect(api.readLobby).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(TIMING.longestPause);
    FakeSocket.latest.tell(own(made));
    answer({ offers: [], total: 0, own: [] });
    await vi.advanceTimersByTimeAsync(0);
    expect([watch.open.length, watch.ended]).toEqual([1, null]);
  });
});

describe('challenges', () => {
  const declined = (id: string): OwnOffer => ({ ...lasting(id), to: 'Bert', declined: true });

  it('that were declined are shown until the reader dismisses them, and end without another word', () => {
    const watch = tab();
    const socket = connect(watch);
    socket.tell(own({ ...lasting('one'), to: 'Bert' }));
    expect([watch.open.length, watch.declined.length]).toEqual([1, 0]);
    socket.tell(own(declined('one')));
    expect([watch.open.length, watch.declined.length, watch.needs]).toEqual([0, 1, 'nothing']);
    watch.dismiss('one');
    expect(watch.declined).toHaveLength(0);
    // A declined challenge stays hidden after the viewer has dismissed it, even if the server lists it again or another
    // page opens.
    socket.tell(own(declined('one')));
    expect(watch.declined).toHaveLength(0);
    const next = tab();
    connect(next).tell(own(declined('one')));
    expect(next.declined).toHaveLength(0);
    socket.tell(own());
    expect(watch.ended).toBeNull();
  });

  it('reach a browser with an account by slow polls, and others only in the lobby', async () => {
    api.readLobby.mockResolvedValue({ offers: [], total: 0, own: [], challenges: [offer('theirs', days)] });
    expect(tab().needs).toBe('nothing');
    noteAccount(true);
    const watch = tab();
    expect(watch.needs).toBe('slow');
    stops.push(watch.watchSlowly());
    await vi.advanceTimersByTimeAsync(1);
    expect(watch.challenges.map(({ id }) => id)).toEqual(['theirs']);
    noteAccount(false);
    expect(tab().needs).toBe('nothing');
    const other = tab();
    connect(other).tell({ t: 'challenges', challenges: [offer('mine'), offer('yours')] });
    await other.decline('mine');
    expect(api.declineChallenge).toHaveBeenCalledExactlyOnceWith('mine');
    expect(other.challenges.map(({ id }) => id)).toEqual(['yours']);
  });
});

it('A page that is open while the browser gets an account begins to ask for challenges', () => {
  const watch = tab();
  expect(watch.needs).toBe('nothing');
  noteAccount(true);
  expect(watch.needs).toBe('slow');
  noteAccount(false);
  expect(watch.needs).toBe('nothing');
  // Another tab has stored that this browser belongs to an account.
  localStorage.setItem('overmate.account', 'yes');
  dispatchEvent(new StorageEvent('storage', { key: 'overmate.account' }));
  expect(watch.needs).toBe('slow');
  noteAccount(false);
});

describe('the rows of the offers', () => {
  const ids = (rows: Row[]) => rows.map(({ offer, gone }) => `${offer.id}${gone === null ? '' : ' gone'}`);

  it('stay in place while offers come and go, and disappear later', () => {
    const first = placed([], [offer('a'), offer('b'), offer('c')], 1000);
    expect(ids(first)).toEqual(['a', 'b', 'c']);
    const second = placed(first, [offer('new'), offer('c'), offer('a')], 2000);
    expect(ids(second)).toEqual(['a', 'b gone', 'c', 'new']);
    expect(moved(first, second)).toBe(false);
    const back = placed(second, [offer('b'), offer('c'), offer('a')], 3000);
    expect(ids(back)).toEqual(['a', 'b', 'c', 'new gone']);
    const later = placed(second, [offer('new'), offer('c'), offer('a')], 2000 + GONE_STAYS);
    expect(ids(later)).toEqual(['a', 'c', 'new']);
    expect(moved(second, later)).toBe(true);
  });
});
