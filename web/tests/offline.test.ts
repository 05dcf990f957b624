// Tests the start of matches without the server, and which requests the service worker answers.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import type { NewMatch } from '$lib/api/types';
import { isPlayedHere, newId } from '$lib/offline/ids';
import { cacheName, isPagePath } from '../src/service-worker/paths';

const createMatch = vi.hoisted(() => vi.fn());
const goto = vi.hoisted(() => vi.fn());
const here = vi.hoisted(() => ({ begin: vi.fn(), has: true }));
vi.mock('$lib/api/api', () => ({ createMatch }));
vi.mock('$app/navigation', () => ({ goto }));
vi.mock('$lib/offline/ability', async (original) => ({
  ...(await original<typeof import('$lib/offline/ability')>()),
  hasOfflinePlay: () => here.has
}));
vi.mock('$lib/offline/pagekeeper', () => ({ pageKeeper: { begin: here.begin } }));

const LEVEL: NewMatch = { rules: 'bga', opponent: { kind: 'level', level: 3 }, lead: 'me' };
const unreachable = new Problem('offline', 'Failed to fetch');

async function begun(match: NewMatch, chosen = false) {
  const { Beginning } = await import('$lib/start/beginning.svelte');
  const beginning = new Beginning();
  await beginning.begin(match, chosen);
  return beginning.problem?.code ?? null;
}

beforeEach(() => {
  here.has = true;
  here.begin.mockResolvedValue({ id: 'here-1' });
  vi.stubGlobal('navigator', { onLine: false, language: 'en', languages: ['en'] });
});

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

describe('a new match', () => {
  it('begins on the server if the server answers', async () => {
    createMatch.mockResolvedValue({ id: 'there' });
    expect(await begun(LEVEL)).toBeNull();
    expect(goto).toHaveBeenCalledWith('/match/there');
    expect(here.begin).not.toHaveBeenCalled();
  });

  it('begins in the page by choice, without a request to the server', async () => {
    expect(await begun(LEVEL, true)).toBeNull();
    expect(goto).toHaveBeenCalledWith('/match/here-1');
    expect(createMatch).not.toHaveBeenCalled();
  });

  it('begins in the page if the server cannot be reached', async () => {
    createMatch.mockRejectedValue(unreachable);
    expect(await begun(LEVEL)).toBeNull();
    expect(here.begin).toHaveBeenCalledWith(LEVEL);
  });

  it('does not begin in the page if the server refuses the match', async () => {
    createMatch.mockRejectedValue(new Problem('matches-full', 'too many', 403));
    expect(await begun(LEVEL)).toBe('matches-full');
    expect(here.begin).not.toHaveBeenCalled();
  });

  it('says that offline play is missing in a page without the engine', async () => {
    here.has = false;
    createMatch.mockRejectedValue(unreachable);
    expect(await begun(LEVEL)).toBe('no-engine');
    expect(here.begin).not.toHaveBeenCalled();
  });

  it('is played in the page only against the computer, without clocks and ratings', async () => {
    const { canPlayHere } = await import('$lib/offline/ability');
    const clock = { kind: 'days', days: 3 } as const;
    expect(canPlayHere(LEVEL)).toBe(true);
    expect(canPlayHere({ ...LEVEL, opponent: { kind: 'perfect' } })).toBe(true);
    expect(canPlayHere({ ...LEVEL, opponent: { kind: 'friend' } })).toBe(false);
    expect(canPlayHere({ ...LEVEL, opponent: { kind: 'both' } })).toBe(false);
    expect(canPlayHere({ ...LEVEL, clock })).toBe(false);
  });
});

describe('the service worker', () => {
  it('answers pages and leaves the interface and files to the server', () => {
    const pages = ['/', '/me', '/match/here-1', '/match/0a/review', '/players/anna', '/rules'];
    const others = ['/api/v1/me/export', '/api', '/healthz', '/readyz', '/feeds/token/turns', '/daily.atom'];
    expect(pages.filter((path) => !isPagePath(path))).toEqual([]);
    expect([...others, '/picture.png', '/.well-known/x'].filter(isPagePath)).toEqual([]);
  });

  it('names its cache after the built files in any order and after the template of the HTML file', () => {
    const name = cacheName(['/a.js', '/b.js'], '<title>');
    expect(cacheName(['/b.js', '/a.js'], '<title>')).toBe(name);
    expect(cacheName(['/a.js', '/c.js'], '<title>')).not.toBe(name);
    expect(cacheName(['/a.js', '/b.js'], '<meta>')).not.toBe(name);
  });

  it('ids of matches in the page differ from those of the server', () => {
    expect(isPlayedHere(newId())).toBe(true);
    expect(newId()).not.toBe(newId());
    expect(isPlayedHere('0123456789abcdef0123456789abcdef')).toBe(false);
  });
});
