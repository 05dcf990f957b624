// Tests when the page sends offline matches to the server, and which matches the browser then keeps.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import { handIn } from '$lib/offline/handin.svelte';
import { listedHere } from '$lib/offline/lists';
import type { Row } from '$lib/offline/store';

const kept = vi.hoisted(() => new Map<string, unknown>());
const send = vi.hoisted(() => vi.fn());
vi.mock('$lib/api/api', () => ({ handIn: send }));
vi.mock('$lib/offline/store', () => ({
  openChannel: () => null,
  allRows: () => Promise.resolve([...kept.values()]),
  readRow: (id: string) => Promise.resolve(kept.get(id) ?? null),
  writeRow: (row: Row) => Promise.resolve(void kept.set(row.id, row))
}));

function keep(id: string, day: number, isOver = true): void {
  const created_at = `2026-11-${day}T12:00:00Z`;
  const row = {
    id,
    match: { id, created_at },
    summary: { id, created_at, result: isOver ? {} : null },
    client_id: null
  };
  kept.set(id, row);
}

const row = (id: string): Row => kept.get(id) as Row;
const sent = (): string[] => send.mock.calls.map(([match]) => (match as { id: string }).id);

beforeEach(() => {
  vi.useFakeTimers();
  send.mockImplementation(({ id }: { id: string }) => Promise.resolve({ id: `server-${id}` }));
});

afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
  kept.clear();
});

describe('the page', () => {
  it('hands in finished matches once, the earliest first', async () => {
    keep('late', 22);
    keep('early', 20);
    keep('running', 21, false);
    await Promise.all([handIn.run(), handIn.run()]);
    await handIn.run();
    expect(sent()).toEqual(['early', 'late']);
    expect([row('early').handed, row('late').handed]).toEqual(['server-early', 'server-late']);
    expect(row('running').handed).toBeUndefined();
    expect(listedHere([...kept.values()] as Row[], true).map(({ id }) => id)).toEqual(['running']);
    expect(listedHere([...kept.values()] as Row[], false)).toHaveLength(3);
  });

  it('hands in a second match that ends without a channel between tabs', async () => {
    vi.stubGlobal('indexedDB', {});
    keep('first', 20);
    handIn.start();
    await vi.waitFor(() => expect(row('first').handed).toBe('server-first'));
    keep('second', 21);
    handIn.start();
    await vi.waitFor(() => expect(row('second').handed).toBe('server-second'));
    expect(sent()).toEqual(['first', 'second']);
  });

  it('tries again after a passing problem, and keeps the match until then', async () => {
    keep('one', 20);
    const passing = [
      new Problem('offline', 'Failed to fetch'),
      new Problem('too-many', 'later', 429),
      new Problem('method-not-allowed', 'an earlier version', 405)
    ];
    for (const problem of passing) send.mockRejectedValueOnce(problem);
    await handIn.run();
    expect(handIn.problem?.code).toBe('offline');
    expect([row('one').handed, row('one').refused]).toEqual([undefined, undefined]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent()).toHaveLength(4);
    expect(row('one').handed).toBe('server-one');
    expect(handIn.problem).toBeNull();
  });

  it('keeps a refused match with the reason, hands in the others, and tries again on request', async () => {
    keep('bad', 20);
    keep('good', 21);
    send.mockRejectedValueOnce(new Problem('bad-request', 'entry 3', 400));
    await handIn.run();
    expect(row('bad').refused).toEqual({ code: 'bad-request', detail: 'entry 3' });
    expect(row('good').handed).toBe('server-good');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(sent()).toEqual(['bad', 'good']);
    await handIn.retry();
    expect(sent()).toEqual(['bad', 'good', 'bad']);
    expect([row('bad').handed, row('bad').refused]).toEqual(['server-bad', undefined]);
  });

  it('shows a refused match as waiting again as soon as it is sent again', async () => {
    keep('bad', 20);
    send.mockRejectedValueOnce(new Problem('bad-request', 'entry 3', 400));
    await handIn.run();
    const before = handIn.changes;
    send.mockRejectedValueOnce(new Problem('offline', 'Failed to fetch'));
    await handIn.retry();
    expect([row('bad').refused, row('bad').handed, handIn.changes]).toEqual([
      undefined,
      undefined,
      before + 1
    ]);
  });

  it('hands in nothing for the new identity of a browser that was signed out', async () => {
    keep('one', 20);
    keep('two', 21);
    send.mockRejectedValueOnce(new Problem('signed-out', 'sign in', 401));
    await Promise.all([handIn.run(), handIn.run()]);
    keep('three', 22);
    await handIn.run();
    expect(row('one').refused?.code).toBe('signed-out');
    expect(sent()).toEqual(['one']);
    await handIn.retry();
    expect(sent()).toEqual(['one', 'one', 'two', 'three']);
    expect([row('one').handed, row('two').handed]).toEqual(['server-one', 'server-two']);
  });

  it('sends a match again whose refusal arrives after a sign-in', async () => {
    keep('one', 20);
    let refuse: (problem: Problem) => void = () => undefined;
    send.mockImplementationOnce(() => new Promise((_, reject) => (refuse = reject)));
    const running = handIn.run();
    await vi.waitFor(() => expect(sent()).toEqual(['one']));
    const again = handIn.retry();
    refuse(new Problem('signed-out', 'sign in', 401));
    await Promise.all([running, again]);
    expect(sent()).toEqual(['one', 'one']);
    expect([row('one').handed, row('one').refused]).toEqual(['server-one', undefined]);
  });

  it('keeps no copy of a match that the person deletes meanwhile', async () => {
    keep('one', 20);
    send.mockImplementation(({ id }: { id: string }) => {
      kept.delete(id);
      return Promise.resolve({ id: 'server' });
    });
    await handIn.run();
    expect(sent()).toEqual(['one']);
    expect(kept.size).toBe(0);
  });
});
