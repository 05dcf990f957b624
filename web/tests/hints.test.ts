// Tests the sentences on hints and on the turning point of a match.
import { describe, expect, it } from 'vitest';
import type { GameState, Hint, LegalAction, Review } from '$lib/api/types';
import { gamesOf, otherPlayer, playerOn } from '$lib/game/scene';
import { hintSays, hintValues } from '$lib/table/hints';
import { decisiveGame, gamesToReview, turningSays } from '$lib/table/turning';
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

  it('tells a demand from the plain lead of the same card', () => {
    const both = { Kd: [3, 3], 'Kd!': [5, 5], Ac: [5, 5] } satisfies Parameters<typeof hint>[0];
    expect(says(hint(both, ['Kd!']))).toBe('Best: [Kd] with a demand, +5 for you.');
    expect(says(hint(both, ['Kd!', 'Ac']))).toBe('2 cards keep +5, [Kd] with a demand among them.');
    const demand = { ...lead('Kd', 5), action: 'Kd!', kind: 'demand' } as LegalAction;
    expect(says(hint(both, ['Kd!']), [lead('Kd'), demand, lead('Ac')])).toBe(
      '[Kd] with a demand mates, and no other card brings more.'
    );
    const same = { ...both, Kd: [5, 5] } satisfies Parameters<typeof hint>[0];
    expect(says(hint(same, ['Kd', 'Kd!']))).toBe('Best: [Kd], +5 for you.');
    expect(says(hint({ '-': [2, 2], '(Kd)': [2, 2], '(Ac)': [0, 0] }, ['-', '(Kd)']))).toBe(
      'Best: [Kd], +2 for you.'
    );
    expect(says(hint({ '-': [2, 2], '(Kd)': [0, 0] }, ['-']))).toBe('Best: foreplacing nothing, +2 for you.');
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
      'Best: [Ac], about +41 for you by a search to depth 3. Proved: −264 to +264.'
    );
    expect(hintValues(estimated).map(({ value }) => value)).toEqual(['~+41', '+32']);
  });
});

/** Returns the first action in a game that plays or foreplaces a visible card. */
function firstCard(game: GameState) {
  const step = game.steps.find(({ card }) => card);
  if (!step) throw new Error('the game has a played card');
  return step;
}

/**
 * Returns a review in which the first played or foreplaced card of a game costs its player a given number of points.
 */
function costly(game: GameState, lost: number): Review {
  const { seat, text } = firstCard(game);
  const actions = [{ index: 0, seat, action: text, lost }];
  return { game: game.index, had_hidden_card: false, actions } as unknown as Review;
}

describe('the turning point', () => {
  const { match } = overmated;

  it('is the costliest action of the loser or, without a review, the mate of the decisive game', () => {
    const game = match.finished[0] ?? match.current;
    const loser = playerOn(game, firstCard(game).seat);
    const by = otherPlayer(loser);
    const result = { winner: by, margin: 9, resigned: null, out_of_time: null, abandoned: false };
    const won = { ...match, you: by, result };
    const decisive = decisiveGame(won);
    expect(decisive?.outcome?.points).toBeGreaterThan(0);
    if (!decisive) return;
    expect(turningSays(won, [], by)).toMatch(/^Game \d decided: \[-?..\] mated in move \d+/);
    const review = costly(decisive, 12);
    expect(turningSays(won, [review], by)).toMatch(/^The turning point: .* gave 12 points away\.$/);
    // An action of the winner is no turning point, however many points it lost.
    const winner = { ...won, result: { ...result, winner: loser } };
    expect(turningSays(winner, [review], by)).toMatch(/^Game \d decided/);
    expect(gamesToReview(won)).toEqual(gamesOf(won));
    expect(decisiveGame({ ...won, result: { ...result, resigned: by } })).toBeNull();
    const abandoned = { ...won, result: { ...result, winner: null, abandoned: true } };
    expect(decisiveGame(abandoned)).toBeNull();
    expect(gamesToReview(abandoned)).toEqual([]);
    expect(turningSays(abandoned, [review], by)).toBe('');
    // The sentence about a drawn match names the game with the most points, but does not say that this game decided
    // the match.
    const drawn = { ...won, result: { ...result, winner: null, margin: 0 } };
    expect(decisiveGame(drawn)).toBe(decisive);
    expect(turningSays(drawn, [], by)).toMatch(/^The most points came in game \d: \[-?..\] mated/);
    expect(turningSays(drawn, [review], by)).toMatch(/^The turning point: /);
  });

  it('is the costliest action of all games if no game had a mate', () => {
    const [game] = gamesOf(match);
    if (!game) throw new Error('the fixture has a game');
    const outcome = { ...game.outcome, kind: 'draw', points: 0, by: null, card: null } as typeof game.outcome;
    const games = [0, 1].map((index) => ({ ...game, index, outcome }));
    const [first, second] = games;
    if (!first || !second) throw new Error('two games');
    const result = { winner: null, margin: 0, resigned: null, out_of_time: null, abandoned: false };
    const you = playerOn(game, firstCard(game).seat);
    const drawn = { ...match, you, result, finished: [first], current: second };
    expect(gamesOf(drawn)).toHaveLength(2);
    expect(gamesToReview(drawn)).toEqual(games);
    const says = (...reviews: Review[]) => turningSays(drawn, reviews, you);
    expect(says()).toBe('No game had a mate.');
    expect(says(costly(first, 0))).toBe('No game had a mate.');
    expect(says(costly(first, 0), costly(second, 0))).toBe(
      'No game had a mate, and nobody gave a point away.'
    );
    expect(says(costly(first, 3), costly(second, 40))).toMatch(
      /^No game had a mate\. The costliest choice: in game 2 you chose \[..\] and gave 40 points away\.$/
    );
    const hidden = { ...costly(second, 40), had_hidden_card: true };
    expect(says(costly(first, 3), hidden)).toMatch(/in game 1 you chose .* gave 3 points away\.$/);
    // The sentence about the turning point names no action if the costliest action is a decline, because a decline has
    // no card.
    const declined = { ...costly(first, 9), actions: [{ action: '-', seat: 'first', lost: 9 }] };
    expect(says(declined as unknown as Review, costly(second, 3))).toBe('No game had a mate.');
  });
});
