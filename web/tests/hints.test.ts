// Tests the sentences on hints and on the turning point of a match.
import { describe, expect, it } from 'vitest';
import type { Hint, LegalAction, Review } from '$lib/api/types';
import { hintSays, hintValues } from '$lib/table/hints';
import { decisiveGame, turningSays } from '$lib/table/turning';
import { overmated } from './fixtures';

/** Returns a hint for seat *first*, with the given lower and upper bounds of each action's value. */
function hint(values: Record<string, [low: number, high: number]>, bests: string[], hidden = false): Hint {
  return {
    sequence: 1,
    hidden_card: hidden,
    horizon: null,
    actions: Object.entries(values).map(([action, [low, high]]) => ({
      action,
      value_for_first: { low, high, exact: low === high ? low : null },
      points_for_you: low,
      estimate: null,
      best: bests.includes(action)
    }))
  };
}
const lead = (card: string, points?: number) =>
  ({ action: card, kind: 'lead', card, mate: points === undefined ? null : { points } }) as LegalAction;
const says = (given: Hint, legal: LegalAction[] = []) => hintSays(given, legal, 'first', true);

describe('a hint in one sentence', () => {
  it('names the best card, or how many cards are as good', () => {
    expect(says(hint({ Ac: [5, 5], Kd: [3, 3] }, ['Ac']))).toBe('Best: [Ac], +5 for you.');
    expect(says(hint({ Ac: [5, 5], Kd: [5, 5], Qh: [0, 0] }, ['Ac', 'Kd']))).toBe(
      '2 cards keep +5, [Ac] among them.'
    );
    expect(says(hint({ Ac: [-9, -9], Kd: [-9, -9] }, ['Ac', 'Kd']))).toBe('All your cards keep −9.');
  });

  it('advises to mate or to wait', () => {
    const legal = [lead('Ac', 55), lead('Kd')];
    expect(says(hint({ Ac: [55, 55], Kd: [3, 3] }, ['Ac']), legal)).toContain('[Ac] mates');
    expect(says(hint({ Ac: [55, 55], Kd: [77, 77] }, ['Kd']), legal)).toBe(
      'Wait: [Kd] keeps +77. The best mate now counts 55.'
    );
  });

  it('says that a value is a bound', () => {
    const unproved = hint({ Ac: [-4, 28], Kd: [-9, 28] }, ['Ac']);
    expect(says(unproved)).toContain('at least −4 and at most +28');
    expect(hintValues(unproved).map(({ value }) => value)).toEqual(['≥−4', '≥−9']);
    expect(says({ ...unproved, hidden_card: true })).toContain('face down');
  });

  it('gives an estimate, and how sure it is', () => {
    const bounds = hint({ Ac: [-264, 264], Kd: [32, 32] }, ['Ac']);
    const actions = bounds.actions.map((hinted, index) => ({ ...hinted, estimate: [41, 32][index] ?? null }));
    const estimated = { ...bounds, horizon: 3, actions };
    expect(says(estimated)).toBe(
      'Best: [Ac], about +41 for you by a search of 3 moves. Proved: −264 to +264.'
    );
    expect(hintValues(estimated).map(({ value }) => value)).toEqual(['~+41', '+32']);
  });
});

describe('the turning point', () => {
  const { match } = overmated;

  it('is the costliest action of the decisive game or, without a review, its mate', () => {
    const game = match.finished[0] ?? match.current;
    const by = game.first;
    const result = { winner: by, margin: 9, resigned: null, out_of_time: null, abandoned: false };
    const won = { ...match, you: by, result };
    const decisive = decisiveGame(won);
    expect(decisive?.outcome?.points).toBeGreaterThan(0);
    if (!decisive) return;
    expect(turningSays(won, decisive, null, by)).toMatch(/^Game \d decided: \[-?..\] mated in move \d+/);
    const [step] = decisive.steps.filter(({ card }) => card);
    const review = {
      turning_point: 0,
      had_hidden_card: false,
      actions: [{ index: 0, seat: step?.seat, action: step?.text, lost: 12 }]
    } as unknown as Review;
    expect(turningSays(won, decisive, review, by)).toMatch(/^The turning point: .* gave 12 points away\.$/);
    expect(decisiveGame({ ...won, result: { ...result, resigned: by } })).toBeNull();
    expect(decisiveGame({ ...won, result: { ...result, winner: null, abandoned: true } })).toBeNull();
    // A drawn match has a game with the most points, too, but no game decided the match.
    const drawn = { ...won, result: { ...result, winner: null, margin: 0 } };
    expect(decisiveGame(drawn)).toBe(decisive);
    expect(turningSays(drawn, decisive, null, by)).toMatch(
      /^The most points came in game \d: \[-?..\] mated/
    );
    expect(turningSays(drawn, decisive, review, by)).toMatch(/^The turning point: /);
  });
});
