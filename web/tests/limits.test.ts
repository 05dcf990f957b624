// Tests the timeouts of requests, and the error message for a request without a response.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { limitOf } from '$lib/api/limits';

afterEach(() => vi.restoreAllMocks());

const limit = (path: string) => limitOf(`https://mate.example/api/v1${path}`);

describe('the time limit of a request', () => {
  it('begins after the time for which the server waits for a change', () => {
    expect(limit('/matches/0a?after=3&wait=20') - limit('/matches/0a')).toBe(20_000);
    expect(limit('/events/0a?after=3&wait=20') - limit('/events/0a')).toBe(20_000);
  });

  it('is longer for requests that compute values or carry a match', () => {
    const long = ['/analysis', '/matches/0a/hint', '/matches/0a/review', '/matches/offline', '/me/progress'];
    const short = ['/analysis/check', '/matches', '/matches/0a/actions', '/me/account', '/offers'];
    for (const path of long) expect(limit(path), path).toBeGreaterThan(60_000);
    for (const path of short) expect(limit(path), path).toBeLessThan(30_000);
  });

  it('ends a request without an answer, as if the network were lost', async () => {
    const stop = new AbortController();
    const limits: number[] = [];
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      limits.push(ms);
      return stop.signal;
    });
    let asked: AbortSignal | null | undefined;
    const sent = new Promise<void>((resolve) =>
      vi.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
        asked = init?.signal;
        resolve();
        return new Promise((_, reject) =>
          asked?.addEventListener('abort', () => reject(new DOMException('late', 'TimeoutError')))
        );
      })
    );
    const { listEvents } = await import('$lib/api/api');
    const answer = listEvents().catch((thrown: unknown) => thrown);
    await sent;
    expect(asked?.aborted).toBe(false);
    stop.abort();
    expect(await answer).toMatchObject({ code: 'offline', passing: true });
    expect(limits).toEqual([limit('/events')]);
  });
});
