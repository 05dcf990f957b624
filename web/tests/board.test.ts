// Tests the board: the labels of cards, the arrow keys, and the cross (row and column) of a lead.
import { cleanup, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { MatchState, RuleFacts, Seat, Step } from '$lib/api/types';
import Board from '$lib/board/Board.svelte';
import type { ComponentProps } from 'svelte';
import { cardNotes } from '$lib/board/notes';
import { sideAt } from '$lib/board/sides';
import { crossOf } from '$lib/board/types';
import CardFace from '$lib/cards/CardFace.svelte';
import { sceneAt } from '$lib/game/scene';
import { demanding, doubled, following, free, overmated } from './fixtures';

afterEach(cleanup);

function show(
  { match, facts }: { match: MatchState; facts: RuleFacts },
  game = match.current,
  given: Partial<ComponentProps<typeof Board>> = {}
) {
  const scene = sceneAt(game, game.steps.length);
  const side = (seat: Seat) =>
    sideAt(game, scene, seat, { name: seat === 'first' ? 'Anna' : 'Bert', you: seat === 'first' });
  const chosen: string[] = [];
  render(Board, {
    deck: facts.deck,
    scene,
    top: side('second'),
    bottom: side('first'),
    notes: cardNotes(facts.deck, game, game.legal, []),
    activeSeat: game.to_act,
    mated: game.outcome?.points ?? null,
    onchoose: (card: string) => chosen.push(card),
    ...given
  });
  return { chosen, game };
}

const press = (key: string) =>
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  );
const spots = () => [...document.querySelectorAll<HTMLElement>('[data-spot]')];

describe('the board', () => {
  it('says of each card of the acting player whether it can be played, and why not', () => {
    const { game } = show(following);
    const grid = within(screen.getByRole('grid', { name: 'The board' }));
    const buttons = grid.getAllByRole('button');
    expect(buttons).toHaveLength(8);
    const legal = buttons.filter((button) => button.getAttribute('aria-disabled') === 'false');
    expect(legal.map((button) => button.dataset.card)).toEqual(game.legal.map((action) => action.card));
    // The accessible name describes a card in a position in which the ace of diamonds was led.
    const name = 'king of diamonds, 4 points, yours, can be played, loses the move';
    expect(grid.getByRole('button', { name })).toBe(legal[0]);
    const barred = grid.getByRole('button', { name: /^queen of clubs/ });
    expect(barred.title).toContain('must follow it: diamonds');
    expect(barred.getAttribute('aria-label')).toContain('cannot be played, You hold the suit');
  });

  it('names the owner of every card of the deck, and offers no buttons for the cards of the opponent', () => {
    show(following);
    const labels = spots().map((spot) => spot.getAttribute('aria-label') ?? '');
    expect(labels).toHaveLength(20);
    expect(labels.filter((label) => label.includes('yours'))).toHaveLength(8);
    const others = labels.filter((label) => label.includes('of Bert'));
    expect(others).toHaveLength(7);
    expect(others.filter((label) => label.endsWith('led'))).toHaveLength(1);
    expect(labels.filter((label) => /played$/.test(label) && !/can/.test(label))).toHaveLength(4);
    expect(labels.filter((label) => label.endsWith('out of play'))).toHaveLength(1);
    expect(document.querySelectorAll('button[data-seat="second"]')).toHaveLength(0);
  });

  it('is walked through with arrow keys, and has one Tab stop', () => {
    show(doubled);
    expect(spots().filter((spot) => spot.tabIndex === 0)).toHaveLength(1);
    spots()[0]?.focus();
    const seen = new Set([document.activeElement]);
    const cells = document.querySelectorAll('[role="gridcell"]').length;
    expect(cells).toBe(16);
    for (let at = 1; at < cells; at += 1) {
      press(at % 2 ? 'ArrowRight' : 'l');
      seen.add(document.activeElement);
    }
    expect(seen.size).toBe(cells);
    press('Home');
    expect(document.activeElement).toBe(spots()[0]);
    press('End');
    expect(document.activeElement).toBe(spots().at(-1));
    press('ArrowDown');
    expect(document.activeElement).toBe(spots().at(-1));
    press('k');
    expect(document.activeElement?.closest('[role="row"]')).not.toBe(spots().at(-1)?.closest('[role="row"]'));
  });

  it('shows both copies of a card in one cell', () => {
    const { game } = show(doubled);
    const copies = spots().map((spot) => Number(spot.dataset.copies));
    expect(copies.reduce((sum, n) => sum + n, 0)).toBe(20);
    const pairs = game.hands.first.filter((card, at) => game.hands.first.indexOf(card) !== at);
    expect(document.querySelectorAll('[data-seat="first"][data-copies="2"]')).toHaveLength(pairs.length);
    expect(pairs.length).toBeGreaterThan(0);
  });

  it('reports the chosen card', () => {
    const { chosen } = show(following);
    screen.getByTestId('card-Kd').click();
    screen.getByTestId('card-Qc').click();
    expect(chosen).toEqual(['Kd', 'Qc']);
  });

  it('shows a mate as an empty cross with its points', () => {
    const game = overmated.match.finished[0];
    if (!game) throw new Error('the first game is missing');
    show(overmated, game);
    const bands = [...document.querySelectorAll('.band')].map((band) => band.className);
    expect(bands.filter((name) => name.includes('none'))).toHaveLength(2);
    expect(screen.getByRole('rowheader', { name: 'no spades' })).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'queen, 3 points' }).textContent).toContain('no');
    expect(screen.getByRole('img', { name: /^queen of spades.*led, mate: 66 points/ })).toBeTruthy();
  });
});

describe('the answers by the free move', () => {
  const { match, facts } = free;
  const name = ', answers only by the free move';
  const marked = () =>
    spots().flatMap((spot) => (spot.getAttribute('aria-label')?.includes(name) ? spot.dataset.card : []));
  const heads = () => screen.getAllByRole('columnheader', { name: /free move/ });

  it('are marked apart from the ordinary answers to the led card', () => {
    const { game } = show(free);
    expect(marked().sort()).toEqual(['Td', 'Ts']);
    for (const card of ['Td', 'Ts']) expect(screen.getByTestId(`card-${card}`).classList).toContain('free');
    expect(screen.getByTestId('card-Ts').querySelector('.tab')?.textContent).toContain('free move');
    const plays = game.legal.flatMap(({ card }) => card ?? []);
    expect(plays.length).toBeGreaterThan(2);
    expect(heads().map((head) => head.getAttribute('aria-label'))).toEqual(['ten, 10 points, free move']);
    expect(document.querySelector('.band.column')?.classList).toContain('free');
  });

  it('are marked among the cards of the opponent while a lead is lifted', () => {
    const answers = match.current.lead?.answers;
    if (!answers) throw new Error('the match has no lead');
    const game = { ...match.current, steps: match.current.steps.slice(0, -1), lead: null };
    const given = { chosen: 'Tc', cross: crossOf('Tc', answers), activeSeat: 'first' as const };
    show({ match, facts }, game, given);
    expect(marked().sort()).toEqual(['Td', 'Ts']);
    expect(screen.getByRole('img', { name: `ten of spades, 10 points, of Bert${name}` })).toBeTruthy();
  });

  it('are not marked once the free move has been used or the lead has been answered', () => {
    const used = match.current.steps.map((step) => ({
      ...step,
      answers: step.answers && { ...step.answers, free_move: [] }
    }));
    show(free, { ...match.current, steps: used });
    expect(marked()).toEqual([]);
    expect(document.querySelector('.band.column')?.classList).toContain('idle');
    cleanup();
    const answer: Step = {
      ...(match.current.steps.at(-1) as Step),
      kind: 'follow',
      card: '7c',
      seat: 'second',
      won_by: 'first',
      answers: null
    };
    show(free, { ...match.current, steps: [...match.current.steps, answer] });
    expect(marked()).toEqual([]);
    expect(screen.queryAllByRole('columnheader', { name: /free move/ })).toEqual([]);
    expect(document.querySelector('.band.column')?.classList).toContain('idle');
  });
});

describe('the notes on cards', () => {
  it('show the better value of a card with two actions, also if neither action is best', () => {
    const game = demanding.match.current;
    const values = [
      { action: 'Kg', value: '+24', points: 24, best: false },
      { action: 'Kg!', value: '0', points: 0, best: false },
      { action: 'Rg', value: '+30', points: 30, best: true }
    ];
    for (const order of [values, values.toReversed()]) {
      const notes = cardNotes(demanding.facts.deck, game, game.legal, order);
      expect(notes.get('Kg')).toMatchObject({ value: '+24', best: false });
      expect(notes.get('Rg')).toMatchObject({ value: '+30', best: true });
    }
    // A best action stays best beside an action whose number is only an estimate.
    const estimated = values.map((each) => ({ ...each, best: each.action === 'Kg!' }));
    expect(cardNotes(demanding.facts.deck, game, game.legal, estimated).get('Kg')?.value).toBe('0');
  });
});

describe('the cross of a lead', () => {
  it('is filled where cards can answer', () => {
    const of = ({ match }: { match: MatchState }) => {
      const { lead } = match.current;
      return lead && crossOf(lead.card, lead.answers);
    };
    expect(of(following)).toEqual({ card: 'Ad', row: 'on', column: 'idle', free: [] });
    expect(of(free)).toEqual({ card: 'Tc', row: 'on', column: 'free', free: ['Ts', 'Td'] });
    const demand = demanding.match.current.legal.find(({ kind }) => kind === 'demand');
    expect(demand?.answers && crossOf(demand.card ?? '', demand.answers)).toMatchObject({ column: 'on' });
    const none = { card: 'Qs', row: 'none', column: 'none', free: [] };
    expect(crossOf('Qs', { cards: [], free_move: [] })).toEqual(none);
    // After a privileged lead, the free move answers in suit.
    const privileged = crossOf('Ks', { cards: ['Kd'], free_move: ['7s'] });
    expect(privileged).toMatchObject({ row: 'free', column: 'on' });
  });

  it('is filled in the required arm if the card identical to the lead can answer', () => {
    const arms = (cards: string[], free_move: string[] = []) => {
      const { row, column } = crossOf('Ks', { cards, free_move });
      return [row, column];
    };
    // Under a privilege, the answers in rank are required, and the free move answers in suit.
    expect(arms(['Ks'], ['As', '7s'])).toEqual(['free', 'on']);
    expect(arms(['Ks', 'Kd'], ['As'])).toEqual(['free', 'on']);
    expect(arms(['Ks', 'Kd'])).toEqual(['idle', 'on']);
    expect(arms(['Ks'], ['Kd'])).toEqual(['on', 'free']);
    expect(arms(['Ks', 'As'], ['Kd'])).toEqual(['on', 'free']);
    expect(arms(['Ks', 'As'])).toEqual(['on', 'idle']);
    expect(arms(['Ks'])).toEqual(['on', 'idle']);
  });
});

describe('a card', () => {
  it('shows rank and points: the seven ranks lowest and is worth more than the king', () => {
    const face = (card: string) => {
      const { container } = render(CardFace, { card, deck: following.facts.deck });
      const text = (part: string) => container.querySelector(part)?.textContent.trim();
      return [text('.index'), text('.points')];
    };
    expect(face('7d')).toEqual(['7', '7']);
    expect(face('Kd')).toEqual(['K', '4']);
    expect(face('Td')).toEqual(['10', '10']);
  });
});
