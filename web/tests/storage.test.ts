// Tests that the page ignores values of another form in the local storage.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { OwnEvents } from '$lib/events/own.svelte';
import { storedPending, storePending } from '$lib/game/pending';
import { storedReadTalk, storeReadTalk } from '$lib/game/readtalk';
import { readKnown } from '$lib/lobby/known';
import { keepReport, openReports } from '$lib/puzzles/openreports';

afterEach(() => {
  localStorage.clear();
  vi.resetModules();
});

const reads: [string, () => unknown, unknown][] = [
  ['overmate.puzzle-reports', openReports, []],
  ['overmate.offers', readKnown, { waiting: [], expected: [] }],
  ['overmate.pending.m', () => storedPending('m'), null],
  ['overmate.talk', () => storedReadTalk('m'), 0],
  ['overmate.events', () => new OwnEvents().ids, '']
];

describe.each(['null', '5', '"text"', '[null, 5, {}]', '{"id": 5, "m": {}, "waiting": 5}', '{'])(
  'the stored text %s',
  (text) => {
    it.each(reads)('under %s counts as nothing', (key, read, nothing) => {
      localStorage.setItem(key, text);
      expect(read()).toEqual(nothing);
    });
  }
);

describe('a value of the right form', () => {
  it('is read beside values of another form, which the next write removes', () => {
    const report = { id: 'one', actions: ['Ac'], run: 'streak:1' };
    const others = [null, { id: 'two' }, { id: 'three', actions: [5] }, { ...report, run: 5 }];
    localStorage.setItem('overmate.puzzle-reports', JSON.stringify([...others, report]));
    expect(openReports()).toEqual([report]);
    keepReport({ id: 'four', actions: [] });
    const kept = JSON.parse(localStorage.getItem('overmate.puzzle-reports') ?? '') as unknown;
    expect(kept).toEqual([report, { id: 'four', actions: [] }]);
  });

  it('is a setting, beside values of another type', async () => {
    const written = { speed: 5, sound: 'yes', coach: null, level: 7, seals: false, other: 1 };
    localStorage.setItem('overmate.settings', JSON.stringify(written));
    vi.resetModules();
    const { settings, change } = await import('$lib/settings.svelte');
    const expected = { speed: 'normal', sound: false, coach: true, level: 7, seals: false };
    expect(settings).toMatchObject(expected);
    change({ keys: false });
    const kept = JSON.parse(localStorage.getItem('overmate.settings') ?? '') as unknown;
    expect(kept).toEqual({ level: 7, seals: false, keys: false });
  });

  const NOT_ALLOWED = [
    { theme: 'purple' },
    { colours: 'auto' },
    { indices: '' },
    { level: 10 },
    { level: 2.5 }
  ];

  it.each(NOT_ALLOWED)('is no setting if the setting does not allow the value %o', async (written) => {
    localStorage.setItem('overmate.settings', JSON.stringify({ ...written, speed: 'slow' }));
    const { settings, change } = await import('$lib/settings.svelte');
    expect(settings).not.toMatchObject(written);
    change({ keys: false });
    const kept = JSON.parse(localStorage.getItem('overmate.settings') ?? '') as unknown;
    expect(kept).toEqual({ speed: 'slow', keys: false });
  });

  it('is read again after it was stored', () => {
    const pending = { sequence: 3, action: 'Ac', client_id: 'c' };
    storePending('m', pending);
    expect(storedPending('m')).toEqual(pending);
    storeReadTalk('m', 7);
    expect(storedReadTalk('m')).toBe(7);
    localStorage.setItem('overmate.events', JSON.stringify({ e: null, f: 'match', g: 5 }));
    expect(new OwnEvents().ids).toBe('e f');
  });
});
