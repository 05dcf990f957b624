// Tests the explanations of a first match: their topics, their sentences, and that each explanation is shown
// once.
import { describe, expect, test } from 'vitest';
import type { GameState, LegalAction } from '$lib/api/types';
import { sceneAt } from '$lib/game/scene';
import { change } from '$lib/settings.svelte';
import { coachSays, topicsOf, type CoachedMoment } from '$lib/table/coach';
import { Coach } from '$lib/table/coached.svelte';
import { demanding, doubled, following, free, overmated } from './fixtures';

/**
 * Returns a snapshot of the position after all actions of a game, as the input from which the coach chooses its
 * explanations.
 */
const momentOf = (game: GameState, legal: LegalAction[] = game.legal): CoachedMoment => ({
  game,
  scene: sceneAt(game, game.steps.length),
  legal,
  exchanged: false,
  ended: game.outcome !== null,
  seals: true
});
const current = ({ match }: { match: { current: GameState } }) => match.current;

describe('the topics of a moment', () => {
  test('name suit or rank by what can answer', () => {
    const game = current(following);
    expect(game.lead?.card).toBe('Ad');
    expect(topicsOf(momentOf(game))).toEqual(['suit']);
    const [action] = game.legal;
    if (!action) throw new Error('the fixture has no answers');
    const answers = [{ ...action, card: 'Ac' }];
    // A privilege requires an answer in rank although the follower holds a diamond.
    expect(game.hands.first).toContain('Kd');
    expect(topicsOf(momentOf(game, answers))).toEqual([]);
    const first = game.hands.first.filter((card) => card !== 'Kd');
    expect(topicsOf(momentOf({ ...game, hands: { ...game.hands, first } }, answers))).toEqual(['rank']);
  });

  test('do not contain the suit if a privilege requires the rank, also of a card identical to the lead', () => {
    const game = current(doubled);
    // The position in `bga+double+kings-privilege` after the lead of the king of spades.
    const led: GameState = {
      ...game,
      phase: 'follow',
      to_act: 'second',
      lead: { card: 'Ks', demanded: false, answers: { cards: ['Ks', 'Kh'], free_move: [] } },
      hands: { ...game.hands, second: ['Ac', 'Tc', 'As', 'Ks', '7s', 'Kh', '7h', 'Ad', 'Td', '7d'] }
    };
    const answer = { answers: null, mate: null, wins: false };
    const legal: LegalAction[] = ['Ks', 'Kh'].map((card) => ({
      ...answer,
      action: card,
      kind: 'follow',
      card
    }));
    const free: LegalAction[] = ['As', '7s'].map((card) => ({
      ...answer,
      action: `${card}*`,
      kind: 'free',
      card
    }));
    expect(topicsOf(momentOf(led, legal))).toEqual([]);
    expect(topicsOf(momentOf(led, [...legal, ...free]))).toEqual([]);
    const suit = [...legal.slice(0, 1), { ...answer, action: 'As', kind: 'follow' as const, card: 'As' }];
    expect(topicsOf(momentOf(led, suit))).toEqual(['suit']);
  });

  test('name a lead, a mate in sight, the end, and the exchange', () => {
    const game = current(demanding);
    expect(game.phase).toBe('lead');
    const plain = game.legal.map((action) => ({ ...action, mate: null }));
    expect(topicsOf(momentOf(game, plain))[0]).toBe('lead');
    expect(topicsOf(momentOf(game, plain))).not.toContain('mate');
    const mate = overmated.match.finished[0]?.outcome ?? null;
    expect(mate?.sum).toBe('3 × 11 × 2 = 66');
    const mating = plain.map((action) => ({ ...action, mate }));
    expect(topicsOf(momentOf(game, mating)).at(-1)).toBe('mate');
    const finished = overmated.match.finished[0];
    if (!finished) throw new Error('the fixture has no finished game');
    // The coach explains no mate that counts as a later move or double.
    expect(topicsOf(momentOf(finished))).toEqual([]);
    const multiplier = { counts_as: 10, doubled: false, factor: 10 };
    const plainMate = mate && { ...mate, move: 10, multiplier, sum: '3 × 10 = 30' };
    expect(topicsOf(momentOf({ ...finished, outcome: plainMate }))).toEqual(['points']);
    expect(topicsOf({ ...momentOf(game, plain), exchanged: true })).toContain('exchange');
    expect(topicsOf({ ...momentOf(game, []), exchanged: true })[0]).toBe('exchange');
    expect(topicsOf({ ...momentOf(game, mating), seals: false })).not.toContain('mate');
  });

  test('begin with the lead at the first lead of a player, also after a move, an exchange, or with a mate in sight', () => {
    const game = current(demanding);
    const mate = overmated.match.finished[0]?.outcome ?? null;
    const mating = game.legal.map((action) => ({ ...action, mate }));
    for (const legal of [game.legal, mating]) {
      for (const exchanged of [false, true]) {
        const coach = new Coach();
        const topics = topicsOf({ ...momentOf(game, legal), exchanged });
        coach.notice('0 0', topics);
        expect(coach.topic).toBe('lead');
        // At the next lead, the coach explains the second topic in the list `topics`, because it has already explained
        // the first topic.
        coach.notice('0 2', topics);
        expect(coach.topic).toBe(topics[1] ?? null);
        localStorage.clear();
      }
    }
  });

  test('are none while cards are foreplaced or the opponent acts', () => {
    const game = { ...current(demanding), phase: 'foreplace' as const };
    expect(game.legal.length).toBeGreaterThan(0);
    expect(topicsOf(momentOf(game))).toEqual([]);
    expect(topicsOf(momentOf(current(following), []))).toEqual([]);
  });
});

describe('the explanation', () => {
  test('of a lead names a card with the fewest answers, and the answers', () => {
    const { match, facts } = demanding;
    const game = match.current;
    const counts = game.legal.map(({ answers }) => answers?.cards.length ?? 0).filter((n) => n > 0);
    const few = game.legal.filter(({ answers }) => answers?.cards.length === Math.min(...counts));
    const says = coachSays('lead', {
      match,
      game,
      scene: sceneAt(game, game.steps.length),
      deck: facts.deck,
      foreplacing: facts.foreplacing,
      bottom: 'first',
      legal: game.legal,
      lifted: [],
      seals: true
    });
    expect(few.length).toBeGreaterThan(0);
    const named = few.find(({ card }) => says.includes(`[${card}]`));
    expect(named?.answers?.cards.length).toBe(Math.min(...counts));
    for (const card of named?.answers?.cards ?? []) expect(says).toContain(`[-${card}]`);
  });

  test('of suit names the free move while it can be used', () => {
    const { match, facts } = free;
    const game = match.current;
    const says = (legal: LegalAction[]) =>
      coachSays('suit', {
        match,
        game,
        scene: sceneAt(game, game.steps.length),
        deck: facts.deck,
        foreplacing: facts.foreplacing,
        bottom: 'first',
        legal,
        lifted: [],
        seals: true
      });
    expect(says(game.legal)).toMatch(/^You hold \[c\], so you follow suit or use the free move/);
    expect(says(game.legal.filter(({ kind }) => kind === 'follow'))).toMatch(/so you must follow suit/);
  });

  test('is shown once for each topic, as long as its moment lasts', () => {
    const coach = new Coach();
    coach.notice('0 1', ['suit']);
    expect(coach.topic).toBe('suit');
    coach.notice('0 1', ['winner']);
    expect(coach.topic).toBe('suit');
    coach.notice('0 2', ['winner', 'lead']);
    expect(coach.topic).toBe('winner');
    coach.notice('0 3', ['suit']);
    expect(coach.topic).toBeNull();
    const later = new Coach();
    later.notice('0 1', ['suit', 'winner', 'mate']);
    expect(later.topic).toBe('mate');
  });

  test('is not shown once it has been dismissed', () => {
    change({ coach: false });
    const coach = new Coach();
    coach.notice('0 1', ['suit']);
    expect(coach.topic).toBeNull();
    change({ coach: true });
  });
});
