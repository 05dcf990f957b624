// Tests the list of public matches: further pages, and polls while the server is slow.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PublicMatch } from '$lib/api/types';
import { PublicList, type Wanted } from '$lib/watch/list.svelte';

const api = vi.hoisted(() => ({ publicMatches: vi.fn(), peopleHere: vi.fn() }));
vi.mock('$lib/api/api', () => api);

const PAUSE = 4000;
const matches = (ids: string) => [...ids].map((id) => ({ id }) as PublicMatch);
const idsOf = (list: PublicList) => list.matches?.map(({ id }) => id).join('');
let stop = () => {};

/** Starts the polls of a list that the simulated server returns in pages of two matches, newest first. */
function watched(state: Wanted['state'], ids: () => string): PublicList {
  api.publicMatches.mockImplementation(({ after = '' }: { after?: string }) => {
    const all = ids().slice(after ? [...ids()].findIndex((id) => id < after) : 0);
    return Promise.resolve({ matches: matches(all.slice(0, 2)), next: all.length > 2 ? all[1] : null });
  });
  const list = new PublicList({ rules: null, state });
  stop = list.watch();
  return list;
}

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
  api.peopleHere.mockResolvedValue({ people: 1, favourites: [] });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

describe('the further pages', () => {
  it('lose running matches that have ended, and gain the matches that follow', async () => {
    let ids = 'hgfedcba';
    const list = watched('running', () => ids);
    await vi.advanceTimersByTimeAsync(0);
    expect(idsOf(list)).toBe('hg');
    await list.more();
    await list.more();
    expect([idsOf(list), list.next]).toEqual(['hgfedc', 'c']);
    ids = 'hedba';
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect([idsOf(list), list.next]).toEqual(['hedba', null]);
  });

  it('keep a page that arrives during a poll', async () => {
    const list = watched('running', () => 'hgfedcba');
    await vi.advanceTimersByTimeAsync(0);
    await list.more();
    const answer = api.publicMatches.getMockImplementation()!;
    let send = () => {};
    api.publicMatches.mockImplementationOnce(
      (query) => new Promise((resolve) => (send = () => resolve(answer(query))))
    );
    await vi.advanceTimersByTimeAsync(PAUSE);
    await list.more();
    expect(idsOf(list)).toBe('hgfedc');
    send();
    await vi.advanceTimersByTimeAsync(0);
    expect(idsOf(list)).toBe('hgfedc');
  });

  it('of finished matches are read once, and lose no match to newer ones', async () => {
    let ids = 'fedcba';
    const list = watched('finished', () => ids);
    await vi.advanceTimersByTimeAsync(0);
    await list.more();
    ids = 'hgfedcba';
    await vi.advanceTimersByTimeAsync(PAUSE);
    expect([idsOf(list), list.next]).toEqual(['hgfedc', 'c']);
    expect(api.publicMatches).toHaveBeenCalledTimes(3);
  });
});

it('A page that is shown again during a slow read starts no second series of polls', async () => {
  let send = () => {};
  const list = watched('running', () => 'ba');
  await vi.advanceTimersByTimeAsync(0);
  const page = { matches: matches('ba'), next: null };
  api.publicMatches.mockImplementationOnce(() => new Promise((resolve) => (send = () => resolve(page))));
  await vi.advanceTimersByTimeAsync(PAUSE);
  for (let shown = 0; shown < 3; shown += 1) document.dispatchEvent(new Event('visibilitychange'));
  expect(api.publicMatches).toHaveBeenCalledTimes(2);
  send();
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(api.publicMatches).toHaveBeenCalledTimes(3);
  // If the page becomes visible between two polls, it reads the list of public matches immediately.
  document.dispatchEvent(new Event('visibilitychange'));
  expect(api.publicMatches).toHaveBeenCalledTimes(4);
  expect(idsOf(list)).toBe('ba');
});
