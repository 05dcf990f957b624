// Tests that the end of an offline match causes one attempt to send the match to the server, in the tab of the match.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import { pageKeeper } from '$lib/offline/pagekeeper';
import type { Row } from '$lib/offline/store';

const kept = vi.hoisted(() => new Map<string, unknown>());
const send = vi.hoisted(() => vi.fn());
vi.mock('$lib/api/api', () => ({ handIn: send }));
vi.mock('$lib/engine/client', () => ({
  Refused: Error,
  hasEngine: () => true,
  // Each step of this engine ends the match.
  askEngine: (_name: string, { match }: { match: { id: string; created_at: string; entries: string[] } }) =>
    Promise.resolve({
      match: { ...match, entries: [...match.entries, 'B resigns'] },
      summary: { id: match.id, created_at: match.created_at, result: {} },
      state: { id: match.id },
      due: false
    })
}));
vi.mock('$lib/offline/store', async (original) => {
  /** Broadcast channel of the only tab: a message arrives at every channel except its own. */
  class Channel extends EventTarget {
    static readonly all: Channel[] = [];
    constructor() {
      super();
      Channel.all.push(this);
    }
    postMessage(data: string): void {
      for (const other of Channel.all)
        if (other !== this)
          setTimeout(() => other.dispatchEvent(Object.assign(new Event('message'), { data })));
    }
  }
  return {
    ...(await original<typeof import('$lib/offline/store')>()),
    openChannel: () => new Channel(),
    allRows: () => Promise.resolve([...kept.values()]),
    readRow: (id: string) => Promise.resolve(kept.get(id) ?? null),
    writeRow: (row: Row) => Promise.resolve(void kept.set(row.id, row))
  };
});

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('indexedDB', {});
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('The end of an offline match starts one attempt to send the match, and each failure doubles the pause once', async () => {
  send.mockRejectedValue(new Problem('offline', 'Failed to fetch'));
  for (const id of ['here-1', 'here-2']) {
    const match = { id, created_at: '2026-11-20T12:00:00Z', entries: [] };
    kept.set(id, { id, match, summary: { id, result: null }, client_id: null });
  }
  const attempts: number[] = [];
  const wait = async (seconds: number) => {
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    attempts.push(send.mock.calls.length);
  };
  await pageKeeper.resign('here-1', 'key');
  await wait(1);
  await wait(1);
  await wait(3);
  await wait(1);
  expect(attempts).toEqual([1, 2, 2, 3]);
  await pageKeeper.resign('here-2', 'key');
  await wait(1);
  expect(attempts.at(-1)).toBe(4);
});
