// Tests the lost points on the progress page, and their moving average.
import { describe, expect, it } from 'vitest';
import type { ProgressGame } from '$lib/api/types';
import { lossesOf, movingMeans, SPAN } from '$lib/progress/losses';
import { kindSays, mean, opponentSays, percent } from '$lib/progress/words';
import { day } from '$lib/text/dates';

const game = (choices: number | null, points_lost: number | null): ProgressGame => ({
  begun_at: '2026-11-21T08:00:00Z',
  match: '0'.repeat(32),
  game: 0,
  rules: 'bga',
  opponent: 'level',
  level: 3,
  points: 0,
  offline: false,
  help: 0,
  choices,
  points_lost,
  accuracy: null
});

describe('losses', () => {
  it('are those of analysed games with a real choice', () => {
    expect(lossesOf([game(3, 12), game(null, null), game(0, 0), game(2, 0)])).toEqual([12, 0]);
  });

  it('have a mean over at most ten games', () => {
    const losses = [...Array<number>(SPAN).fill(0), 10, 20];
    expect(movingMeans(losses)).toEqual([...Array<number>(SPAN).fill(0), 1, 3]);
    expect(movingMeans([4, 8])).toEqual([4, 6]);
    expect(movingMeans([])).toEqual([]);
  });
});

describe('words', () => {
  it('name opponents, kinds and unknown numbers', () => {
    expect(opponentSays({ opponent: 'level', level: 3 })).toBe('Level 3');
    expect(opponentSays({ opponent: 'perfect', level: null })).toBe('Perfect');
    expect(opponentSays({ opponent: 'friend', level: null })).toBe('People');
    expect(kindSays('mate-allowed')).toBe('Mate allowed');
    expect(kindSays(null)).toBe('No simple reason');
    expect([percent(0.875), percent(null)]).toEqual(['88\u00a0%', '–']);
    expect([mean(7, 2), mean(0, 0)]).toEqual(['3.5', '–']);
  });
});

describe('a day of the server', () => {
  it('is the same day in each time zone, unlike a time', () => {
    const zone = process.env['TZ'];
    const days = ['America/Los_Angeles', 'UTC', 'Pacific/Auckland'].map((place) => {
      process.env['TZ'] = place;
      return [day('2026-11-22'), day('2026-11-22T03:00:00Z')];
    });
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
    expect(days.map(([date]) => date)).toEqual(Array(3).fill('Nov 22, 2026'));
    expect(days.map(([, time]) => time)).toEqual(['Nov 21, 2026', 'Nov 22, 2026', 'Nov 22, 2026']);
  });
});
