// Tests the game table with recorded match states: the texts, the score factor of a mate, and the seals (marks) on
// mating leads.
import { describe, expect, it } from 'vitest';
import type { GameState, MatchState, RuleFacts, Step } from '$lib/api/types';
import type { LiveMatch } from '$lib/game/live.svelte';
import { presentScene, sceneAt } from '$lib/game/scene';
import { change } from '$lib/settings.svelte';
import { coachSays, topicsOf } from '$lib/table/coach';
import { endSays } from '$lib/table/status';
import { Table } from '$lib/table/table.svelte';
import { legalSays } from '$lib/text/actions';
import { demanding, free, hiding, overmated } from './fixtures';

/**
 * Creates a `Table` for a match whose state never changes, and records the actions that the `Table` sends to the
 * server.
 */
function tableOf(state: MatchState, facts: RuleFacts) {
  const sent: string[] = [];
  const live = { state, pending: null, act: (action: string) => sent.push(action) };
  return { table: new Table(live as unknown as LiveMatch, facts), sent };
}

const finished = overmated.match.finished[0] as GameState;
const { first } = finished;
const second = first === 'a' ? 'b' : 'a';

/**
 * Returns the recorded match after the first `steps` actions of its first game, for the player in the seat *second*.
 */
const begun = (steps: number): MatchState => ({
  ...overmated.match,
  you: second,
  finished: [],
  current: {
    ...finished,
    steps: finished.steps.slice(0, steps),
    outcome: null,
    legal: [],
    to_act: 'first',
    phase: 'foreplace'
  }
});

describe('the sentence at the table', () => {
  it('names the leader while the first action of the opponent is not shown yet', () => {
    const { table } = tableOf(begun(1), overmated.facts);
    expect(table.view.at).toBe(0);
    expect(table.status.line).toBe(`${overmated.match.players[first].name} leads.`);
  });

  it('keeps the words about a new match until the first action of the player', () => {
    const { table, sent } = tableOf(begun(1), overmated.facts);
    const words = 'A new match: the opponent leads.';
    table.greet(words);
    expect(table.status.line).toBe(words);
    expect(table.aside.text).toBe(words);
    table.view.at = 1;
    const [greeting, rest] = [
      table.status.line.slice(0, words.length),
      table.status.line.slice(words.length)
    ];
    expect(greeting).toBe(words);
    expect(rest.trim()).not.toBe('');
    table.act('-');
    expect(sent).toEqual(['-']);
    expect(table.status.line).toBe(rest.trim());
  });

  it('names the answers to a lead with and without a demand', () => {
    const { table } = tableOf(demanding.match, demanding.facts);
    table.view.toPresent();
    const actions = table.legal.filter(({ card }) => card === 'Kg');
    expect(actions.map(({ kind }) => kind)).toEqual(['lead', 'demand']);
    table.choose('Kg');
    expect(table.chosen).toBe('Kg');
    const { line: plain, why: demand } = table.status;
    expect(demand).toMatch(/^If you demand a king: only /);
    const cards = (text: string) => [...text.matchAll(/\[-?(..)\]/g)].map(([, card]) => card);
    expect(actions.map(({ answers }) => answers?.cards)).toEqual([cards(plain), cards(demand)]);
    expect(cards(demand).length).toBeGreaterThan(0);
    // For a card that cannot be led with a demand, the status text consists of one sentence.
    table.choose('Rg');
    expect(table.status.line).not.toContain('demand');
    expect(table.status.why).toBe('');
  });
});

describe('an answer that may lie face down', () => {
  const { match, facts } = hiding;
  /** Returns the game of the leader, for whom the opponent's face-down card is one of the given cards. */
  function knowing(candidates: string[]): GameState {
    const second = { ...match.current.foreplaced.second, candidates };
    return { ...match.current, foreplaced: { ...match.current.foreplaced, second } };
  }
  /** Returns the table of the leader in a game. */
  function leading(current: GameState) {
    const { table } = tableOf({ ...match, current }, facts);
    table.view.toPresent();
    const line = (card: string) => {
      table.choose(card);
      return table.status.line;
    };
    return { table, line };
  }
  const all = match.current.hands.second;

  it('leaves another answer, or an answer of the other kind, or none', () => {
    expect(match.current.foreplaced.second.candidates).toEqual(all);
    const { line } = leading(knowing(all));
    expect(line('Ts')).toBe(
      'Bert can answer with [-Ks], [-Qs], or [-7s]; one of these cards may lie face down.'
    );
    expect(line('7d')).toBe(
      'Bert can answer with [-Kd] or, if that card lies face down, with [-7s] or [-7h].'
    );
    expect(line('Td')).toBe(
      'Bert can answer with [-Kd] only. If that card lies face down, the lead gives mate.'
    );
  });

  it('is not counted', () => {
    const counts = ({ table }: ReturnType<typeof leading>) =>
      ['Ts', 'Th', '7d'].map((card) => table.notes.get(card)?.answers);
    const uncertain = leading(knowing(all));
    expect(counts(uncertain)).toEqual([undefined, undefined, undefined]);
    expect(
      uncertain.table.now && topicsOf({ ...uncertain.table.now, exchanged: false, ended: false })
    ).toEqual([]);
    // The opponent has answered a diamond in rank, so that the king of diamonds lies face down.
    const certain = leading(knowing(['Kd']));
    expect(counts(certain)).toEqual([3, 4, 2]);
    expect(certain.line('Ts')).toBe('Bert can answer with [-Ks], [-Qs], or [-7s].');
    expect(certain.table.now && coachSays('lead', certain.table.now)).toContain('to [Ad], only [-Ah]');
  });

  it('is no answer if only this card can lie face down', () => {
    const { table, line } = leading(knowing(['Kd']));
    expect(line('7d')).toBe('Bert can answer with [-7s] or [-7h].');
    expect(table.cross).toMatchObject({ row: 'idle', column: 'on' });
    expect(line('Td')).toBe('Bert holds no [d] and no ten: mate.');
    expect([table.notes.get('Td')?.answers, table.cross?.row]).toEqual([0, 'none']);
  });

  it('makes the answers in rank ordinary answers, without the free move', () => {
    const answers = { cards: ['Kd'], free_move: ['7s', '7h'] };
    const withFree = (candidates: string[]): GameState => {
      const current = knowing(candidates);
      const legal = current.legal.map((action) => (action.card === '7d' ? { ...action, answers } : action));
      return { ...current, legal };
    };
    const uncertain = leading(withFree(['Kd', 'Kh']));
    expect(uncertain.line('7d')).toBe(
      'Bert can answer with [-Kd] or, by the free move, [-7s] or [-7h]; one of these cards may lie face down.'
    );
    expect(uncertain.table.cross).toMatchObject({ row: 'on', column: 'free' });
    const current = withFree(['Kd']);
    const { table, line } = leading(current);
    expect(line('7d')).toBe('Bert can answer with [-7s] or [-7h].');
    expect(table.cross).toMatchObject({ row: 'idle', column: 'on', free: [] });
    // The board shows the led card in the same way.
    const lead = { ...(current.steps.at(-1) as Step), kind: 'lead' as const, card: '7d', answers };
    const led: GameState = { ...current, steps: [...current.steps, { ...lead, seat: 'first' }] };
    expect(sceneAt(led, led.steps.length).answers).toEqual({ cards: ['7s', '7h'], free_move: [] });
    const played = { card: '7d', demanded: false, answers };
    expect(presentScene({ ...current, lead: played }).answers?.free_move).toEqual([]);
  });

  it('is certain if the opponent holds the card twice', () => {
    const hands = { ...match.current.hands, second: [...all.filter((card) => card !== 'Kh'), 'Kd'] };
    for (const candidates of [all, ['Kd']]) {
      const { table, line } = leading({ ...knowing(candidates), hands });
      expect(table.notes.get('Td')?.answers).toBe(1);
      expect(line('Td')).toBe('Bert can answer with [-Kd].');
    }
  });
});

describe('the free move', () => {
  it('is named in the answers to a lifted lead, and counted on the card', () => {
    const { match, facts } = free;
    const answers = match.current.lead?.answers ?? null;
    expect(answers?.free_move).toEqual(['Ts', 'Td']);
    const current: GameState = {
      ...match.current,
      phase: 'lead',
      to_act: 'first',
      lead: null,
      steps: match.current.steps.slice(0, -1),
      hands: { ...match.current.hands, first: ['Tc', ...match.current.hands.first] },
      legal: [{ action: 'Tc', kind: 'lead', card: 'Tc', answers, mate: null, wins: null }],
      not_legal: []
    };
    const { table } = tableOf({ ...match, current }, facts);
    table.view.toPresent();
    expect(table.notes.get('Tc')?.answers).toBe(4);
    table.choose('Tc');
    expect(table.status.line).toContain(
      'can answer with [-Ac] or [-7c] or, by the free move, [-Ts] or [-Td].'
    );
  });

  it('is named in the list of legal answers', () => {
    expect(legalSays(free.facts.deck, free.match.current.legal)).toBe(
      'You can choose: ace of clubs, seven of clubs, ten of spades as the free move, ten of diamonds as the free move.'
    );
    const answer = { answers: null, mate: null, wins: null };
    const foreplacing: GameState['legal'] = [
      { ...answer, action: '-', kind: 'decline', card: null },
      { ...answer, action: '(Ac)', kind: 'foreplace', card: 'Ac' }
    ];
    expect(legalSays(free.facts.deck, foreplacing)).toBe(
      'You can choose: foreplacing nothing, ace of clubs.'
    );
  });
});

describe('the sentence on a lead to answer', () => {
  it('leads to the column if only the free move can answer in suit', () => {
    const { match, facts } = free;
    const answer = { answers: null, mate: null, wins: false };
    const legal: GameState['legal'] = [
      { ...answer, action: 'Ts', kind: 'follow', card: 'Ts' },
      { ...answer, action: 'Td', kind: 'follow', card: 'Td' },
      { ...answer, action: 'Ac*', kind: 'free', card: 'Ac' }
    ];
    const { table } = tableOf({ ...match, current: { ...match.current, legal } }, facts);
    table.view.toPresent();
    expect(table.status.line).toMatch(/leads \[Tc\]\. Answer in rank \(ten\), the column\.$/);
  });

  it('leads to the row if only the free move can answer in rank', () => {
    const { match, facts } = free;
    const answer = { answers: null, mate: null, wins: false };
    // With the double deck, the follower holds the card identical to the lead, and no other card of the suit.
    const legal: GameState['legal'] = [
      { ...answer, action: 'Tc', kind: 'follow', card: 'Tc' },
      { ...answer, action: 'Ts*', kind: 'free', card: 'Ts' },
      { ...answer, action: 'Td*', kind: 'free', card: 'Td' }
    ];
    const line = (legal: GameState['legal']) => {
      const { table } = tableOf({ ...match, current: { ...match.current, legal } }, facts);
      table.view.toPresent();
      return table.status.line;
    };
    expect(line(legal)).toMatch(/leads \[Tc\]\. Follow in \[c\], the row\.$/);
    // A privilege requires the answer in rank, and the free move can answer in suit.
    const privileged = [
      ...legal.slice(0, 1),
      { ...answer, action: 'Ac*', kind: 'free' as const, card: 'Ac' }
    ];
    expect(line(privileged)).toMatch(/Answer in rank \(ten\), the column\.$/);
  });
});

describe('the sentence on a lifted answer', () => {
  it('tells who leads next, or that the game ends after the last move', () => {
    const { match, facts } = free;
    const line = (move: number) => {
      const { table } = tableOf({ ...match, current: { ...match.current, move } }, facts);
      table.view.toPresent();
      table.choose('7c');
      return table.status.line;
    };
    const { moves_max } = match.current;
    expect(line(moves_max - 1)).toMatch(/loses to \[Tc\]: .* leads next\.$/);
    expect(line(moves_max)).toBe('With [-7c], all cards are played: the game ends drawn.');
  });
});

describe('the reason of an overmate', () => {
  it('is the extra last move, or the foreplacing of one player alone', () => {
    const why = (sole_doubled: boolean) => {
      const { foreplacing } = overmated.facts;
      const facts = { ...overmated.facts, foreplacing: foreplacing && { ...foreplacing, sole_doubled } };
      const { table } = tableOf(overmated.match, facts);
      table.view.look(0, finished.steps.length);
      return table.now && endSays(table.now).why;
    };
    expect(why(false)).toBe('Overmate: the extra last move counts double.');
    expect(why(true)).toBe('Overmate: only one player foreplaced, so each of their mates counts double.');
  });
});

describe('the exchange of hands', () => {
  it('shows the dealt hands once, without the card that gave mate', () => {
    const { table } = tableOf(overmated.match, overmated.facts);
    table.view.look(0, finished.steps.length);
    expect(table.boardScene?.lead).not.toBeNull();
    const hands = () => [table.top, table.bottom].map((side) => side?.hand);
    table.view.exchange = 'gather';
    expect(table.boardScene).toMatchObject({ lead: null, answer: null });
    const dealt = hands();
    expect(new Set(dealt.flat()).size).toBe(20);
    table.view.exchange = 'cross';
    expect(hands()).toEqual(dealt.toReversed());
  });

  it('is announced once, and ends at a second press of its button', () => {
    const { table } = tableOf(overmated.match, overmated.facts);
    table.view.look(0, finished.steps.length);
    table.goOn();
    expect(table.view.exchange).toBe('gather');
    const announced = table.aside;
    expect(announced.text).toContain('The hands are exchanged');
    table.goOn();
    expect([table.view.exchange, table.view.gameIndex]).toEqual([null, 1]);
    expect(table.aside).toBe(announced);
  });
});

describe('the multiplier', () => {
  it('previews the effect of foreplacing the lifted card', () => {
    const seat = finished.first === second ? 'first' : 'second';
    const legal = (['foreplace', 'decline'] as const).map((kind) => ({
      action: kind === 'decline' ? '-' : '(Tc)',
      kind,
      card: kind === 'decline' ? null : 'Tc',
      answers: null,
      mate: null,
      wins: null
    }));
    const factor = { counts_as: 1, doubled: false, factor: 1 };
    const state = begun(0);
    const current: GameState = {
      ...state.current,
      to_act: seat,
      legal,
      multipliers: { first: [factor], second: [factor] },
      multiplier_foreplaced: { counts_as: 2, doubled: false, factor: 2 }
    };
    const { table } = tableOf({ ...state, current }, overmated.facts);
    expect(table.stake).toMatchObject({ factor: 1, isPreview: false, reason: '' });
    table.choose('Tc');
    expect(table.stake).toMatchObject({ factor: 2, isPreview: true, reason: '1 + 1, foreplaced' });
    expect(table.decline?.action).toBe('-');
    table.unchoose();
    expect(table.stake).toMatchObject({ factor: 1, isPreview: false });
  });
});

describe('seals on the leads that mate', () => {
  /** Returns whether the game table marks the mating leads, for an opponent of a given kind and level. */
  const marks = (kind: 'level' | 'perfect' | 'friend', level: number | null): boolean => {
    const state = begun(1);
    const other = { ...state.players[first], kind, level };
    const you = { ...state.players[second], kind: 'you' as const, level: null };
    const players = { a: first === 'a' ? other : you, b: first === 'b' ? other : you };
    return tableOf({ ...state, players }, overmated.facts).table.seals;
  };

  it('are off against levels 7 to 9 and perfect', () => {
    const on = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((level) => marks('level', level));
    expect(on).toEqual([1, 2, 3, 4, 5, 6]);
    expect(marks('perfect', null)).toBe(false);
    expect(marks('friend', null)).toBe(true);
  });

  it('are off if the player switched them off', () => {
    change({ seals: false });
    expect(marks('level', 1)).toBe(false);
    change({ seals: true });
    expect(marks('level', 1)).toBe(true);
  });
});
