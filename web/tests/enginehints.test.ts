// Tests hints in server matches, which the engine in the page computes if possible, and otherwise the server.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import type { Hint, MatchState } from '$lib/api/types';
import { following } from './fixtures';

const hintOnServer = vi.hoisted(() => vi.fn());
const engine = vi.hoisted(() => ({ ask: vi.fn() }));
vi.mock('$lib/api/api', () => ({ hintOnServer }));
vi.mock('$lib/engine/client', () => ({
  askEngine: engine.ask,
  Refused: class Refused extends Error {}
}));

const { match } = following;
const { sequence } = match;
const noted: Hint = { sequence, hidden_card: false, horizon: null, actions: [] };
const here: Hint = { ...noted, horizon: 1 };
const there: Hint = { ...noted, horizon: 2 };

async function hinted(stateAt: (sequence: number) => Promise<MatchState | null>): Promise<Hint> {
  const { hint } = await import('$lib/engine/analyse');
  return hint(match, 'client-1', stateAt);
}

const present = (wanted: number) => Promise.resolve(wanted === sequence ? match : null);
const withValues = [match.id, 'client-1'];
const withoutValues = [match.id, 'client-1', false];

beforeEach(() => {
  engine.ask.mockResolvedValue(here);
  hintOnServer.mockImplementation((_id: string, _client_id: string, values = true) =>
    Promise.resolve(values ? there : noted)
  );
});

afterEach(() => vi.clearAllMocks());

describe('a hint in a server match', () => {
  it('is noted by the server, and computed by the engine for the state after the note', async () => {
    expect(await hinted(present)).toBe(here);
    expect(hintOnServer.mock.calls).toEqual([withoutValues]);
    const { rules, current } = match;
    const game = { rules, deal: current.deal, actions: current.steps.map(({ text }) => text) };
    const asked = ['hint', { game, sequence }];
    expect(engine.ask.mock.calls).toEqual([asked, asked]);
  });

  it('comes from the server with the same client id if the match has another state', async () => {
    expect(await hinted(() => Promise.resolve(null))).toBe(there);
    expect(hintOnServer.mock.calls).toEqual([withoutValues, withValues]);
    expect(engine.ask).toHaveBeenCalledTimes(1);
  });

  it('takes one request to the server if the engine cannot answer', async () => {
    const { Refused } = await import('$lib/engine/client');
    engine.ask.mockResolvedValueOnce(null).mockRejectedValueOnce(new Refused('text'));
    for (let asked = 1; asked <= 2; asked += 1) {
      expect(await hinted(present)).toBe(there);
      expect(hintOnServer.mock.calls).toEqual(Array(asked).fill(withValues));
    }
  });

  it('comes with values from a server of an earlier version', async () => {
    hintOnServer.mockRejectedValueOnce(new Problem('bad-request', 'unknown field `values`', 400));
    expect(await hinted(present)).toBe(there);
    expect(hintOnServer.mock.calls).toEqual([withoutValues, withValues]);
  });

  it('is not requested again if the server refuses it', async () => {
    hintOnServer.mockRejectedValueOnce(new Problem('not-your-turn', 'wait', 422));
    await expect(hinted(present)).rejects.toMatchObject({ code: 'not-your-turn' });
    expect(hintOnServer).toHaveBeenCalledTimes(1);
  });
});
