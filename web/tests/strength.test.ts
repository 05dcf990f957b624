// Tests that an empty lobby offers the level of the computer opponent that suits the player's strength.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import type { Pace, PlayerRating } from '$lib/api/types';
import EmptyLobby from '$lib/lobby/EmptyLobby.svelte';
import { LEVEL_RATINGS, levelFor } from '$lib/lobby/strength';
import { OwnStrength } from '$lib/lobby/strength.svelte';

const api = vi.hoisted(() => ({
  myAccount: vi.fn(),
  profileOf: vi.fn(),
  myProgress: vi.fn(),
  createMatch: vi.fn()
}));
const goto = vi.hoisted(() => vi.fn());
vi.mock('$lib/api/api', () => api);
vi.mock('$app/navigation', () => ({ goto }));

/** Ratings of the computer's strength levels, read from a file of the server, each with its rule set and level. */
const table = readFileSync('../crates/overmate-server/data/anchors.tsv', 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t'))
  .filter(([, player]) => player !== 'perfect')
  .map(([rules, level, rating]) => ({ rules: String(rules), level: Number(level), rating: Number(rating) }));

const rated = (rules: string, rating: number, deviation = 60, pace: Pace = 'live'): PlayerRating => ({
  rules,
  rules_title: rules,
  pace,
  rating: { rating, deviation, provisional: deviation > 110 },
  results: { wins: 1, draws: 0, losses: 0 }
});

describe('the offered level', () => {
  it('has the ratings of the server for each level', () => {
    expect(table).toHaveLength(54);
    expect(Object.keys(LEVEL_RATINGS)).toHaveLength(6);
    for (const { rules, level, rating } of table) expect(LEVEL_RATINGS[rules]?.[level - 1]).toBe(rating);
  });

  it('is the level nearest to the rating in the rule set', () => {
    let compared = 0;
    for (const rules of ['sackson', 'bga', 'rael', 'bga+pinochle']) {
      for (let rating = 900; rating < 3600; rating += 37) {
        const ratings = [rated('denexa', 1400), rated(rules, rating)];
        const { level, by } = levelFor(rules, { ratings, estimate: 3 }, 9);
        expect(by).toBe('rating');
        const own = table.filter((row) => row.rules === rules);
        const distance = (row: { rating: number }) => Math.abs(row.rating - rating);
        const [offered] = own.filter((row) => row.level === level);
        if (!offered) throw new Error(`no level ${level}`);
        for (const row of own) expect(distance(offered)).toBeLessThanOrEqual(distance(row));
        compared += 1;
      }
    }
    expect(compared).toBe(4 * 73);
  });

  it('follows the pace with the surer rating', () => {
    const ratings = [rated('bga', 1150, 200), rated('bga', 2500, 60, 'correspondence')];
    expect(levelFor('bga', { ratings, estimate: null }, 1)).toEqual({ level: 8, by: 'rating' });
  });

  it('is the estimate without a rating in the rule set, and else the level chosen last', () => {
    const ratings = [rated('bga', 2500), rated('bga+double', 2500)];
    for (const rules of ['sackson', 'bga+double']) {
      expect(levelFor(rules, { ratings, estimate: 6 }, 2)).toEqual({ level: 6, by: 'estimate' });
      expect(levelFor(rules, { ratings, estimate: null }, 2)).toEqual({ level: 2, by: 'last' });
    }
  });
});

describe('the own strength', () => {
  beforeEach(() => {
    vi.resetAllMocks();
    api.myAccount.mockResolvedValue({ handle: 'Anna' });
    api.profileOf.mockResolvedValue({ ratings: [rated('bga', 2037)] });
    api.myProgress.mockResolvedValue({ like_level: { level: 5, low: 4, high: 6, decisions: 90 } });
  });

  it('asks for the estimate only where no rating tells the level', async () => {
    const strength = new OwnStrength();
    await strength.ask('bga');
    await strength.ask('bga');
    expect(levelFor('bga', strength, 3)).toEqual({ level: 6, by: 'rating' });
    expect(api.profileOf).toHaveBeenCalledExactlyOnceWith('Anna');
    expect(api.myProgress).not.toHaveBeenCalled();
    await strength.ask('sackson');
    expect(levelFor('sackson', strength, 3)).toEqual({ level: 5, by: 'estimate' });
  });

  it('reads no profile without an account, and asks again after a failure', async () => {
    api.myAccount.mockResolvedValue(null);
    api.myProgress.mockRejectedValueOnce(new Problem('offline', ''));
    const strength = new OwnStrength();
    await strength.ask('bga');
    expect(levelFor('bga', strength, 3)).toEqual({ level: 3, by: 'last' });
    await strength.ask('bga');
    expect(levelFor('bga', strength, 3)).toEqual({ level: 5, by: 'estimate' });
    expect(api.profileOf).not.toHaveBeenCalled();
  });

  afterEach(cleanup);

  it('decides with which level an empty lobby begins a match', async () => {
    api.createMatch.mockResolvedValue({ id: 'level' });
    const props = { bots: false, busy: false, strength: new OwnStrength(), ondays: () => {} };
    const { rerender } = render(EmptyLobby, { rules: 'bga', ...props });
    const button = screen.getByTestId('lobby-level');
    await vi.waitFor(() => expect(button.textContent).toBe('Play level 6'));
    expect(screen.getByTestId('lobby-empty').textContent).toContain('Level 6 is nearest to your rating');
    await rerender({ rules: 'sackson' });
    await vi.waitFor(() => expect(button.textContent).toBe('Play level 5'));
    expect(screen.getByTestId('lobby-empty').textContent).toContain('You play like level 5.');
    await fireEvent.click(button);
    await vi.waitFor(() => expect(goto).toHaveBeenCalledExactlyOnceWith('/match/level'));
    const opponent = { kind: 'level', level: 5 };
    expect(api.createMatch).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ rules: 'sackson', opponent })
    );
  });
});
