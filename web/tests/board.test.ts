// The board as players use it: named buttons, reasons and keys.
import { cleanup, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { MatchState, RuleFacts, Seat } from '$lib/api/types';
import Board from '$lib/board/Board.svelte';
import type { CardNote, Side } from '$lib/board/types';
import CardFace from '$lib/cards/CardFace.svelte';
import { sceneAt } from '$lib/game/scene';
import EndPanel from '$lib/table/EndPanel.svelte';
import { whyNot } from '$lib/text/words';
import { doubled, following, overmated } from './fixtures';

afterEach(cleanup);

function show({ match, facts }: { match: MatchState; facts: RuleFacts }, view: 'hands' | 'grid' = 'hands') {
  const game = match.current;
  const scene = sceneAt(game, game.steps.length);
  const side = (seat: Seat): Side => ({
    seat,
    name: seat === 'first' ? 'Anna' : 'Bert',
    you: seat === 'first',
    hand: scene.hands[seat],
    dealt: game.dealt?.[seat] ?? [],
    pile: scene.piles[seat],
    foreplaced: scene.foreplaced[seat],
    toAct: game.to_act === seat
  });
  const notes = new Map<string, CardNote>();
  for (const { card } of game.legal) if (card) notes.set(card, { legal: true });
  for (const reason of game.not_legal) {
    notes.set(reason.card, { legal: false, why: whyNot(facts.deck, game.lead?.card ?? null, reason) });
  }
  const chosen: string[] = [];
  render(Board, {
    deck: facts.deck,
    scene,
    top: side('second'),
    bottom: side('first'),
    notes,
    activeSeat: game.to_act,
    view,
    onchoose: (card: string) => chosen.push(card)
  });
  return { chosen, game };
}

const press = (target: Element, key: string) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

describe('a hand', () => {
  it('marks the legal cards, and gives the reason for every other card', () => {
    const { game } = show(following);
    const hand = within(screen.getByRole('toolbar', { name: 'Your hand' }));
    const buttons = hand.getAllByRole('button');
    expect(buttons).toHaveLength(8);
    const legal = buttons.filter((button) => button.getAttribute('aria-disabled') === 'false');
    expect(legal.map((button) => button.dataset.card)).toEqual(game.legal.map((action) => action.card));
    expect(hand.getByRole('button', { name: 'king of diamonds, 4 points, can be played' })).toBe(legal[0]);
    expect(hand.getByRole('button', { name: /^queen of clubs/ }).title).toContain('must follow it: diamonds');
  });

  it('offers no buttons for the cards of the opponent', () => {
    show(following);
    const other = within(screen.getByRole('group', { name: 'Hand of Bert' }));
    expect(other.queryAllByRole('button')).toHaveLength(0);
    expect(other.getAllByRole('img').length).toBeGreaterThan(0);
  });

  it('is walked through with arrow keys, and has one Tab stop', () => {
    show(doubled);
    const hand = screen.getByRole('toolbar', { name: 'Your hand' });
    const buttons = within(hand).getAllByRole('button');
    expect(buttons.filter((button) => button.tabIndex === 0)).toHaveLength(1);
    press(hand, 'Home');
    expect(document.activeElement).toBe(buttons[0]);
    let steps = 0;
    for (let at = 1; at < buttons.length; at += 1, steps += 1) {
      press(document.activeElement ?? hand, at % 2 ? 'ArrowRight' : 'l');
      expect(document.activeElement, `after ${at}`).toBe(buttons[at]);
    }
    expect(steps).toBe(9);
    press(document.activeElement ?? hand, 'Home');
    press(document.activeElement ?? hand, 'j');
    expect(document.activeElement?.closest('.row')?.getAttribute('data-suit')).not.toBe(
      buttons[0]?.closest('.row')?.getAttribute('data-suit')
    );
    press(document.activeElement ?? hand, 'End');
    expect(document.activeElement).toBe(buttons.at(-1));
  });

  it('reports the chosen card', () => {
    const { chosen } = show(following);
    screen.getByTestId('card-Kd').click();
    screen.getByTestId('card-Qc').click();
    expect(chosen).toEqual(['Kd', 'Qc']);
  });
});

describe('the grid', () => {
  it('names the owner of every card of the deck', () => {
    show(following, 'grid');
    const grid = screen.getByTestId('grid');
    const owners = [...grid.querySelectorAll('.cell')].map(
      (cell) => cell.getAttribute('aria-label') ?? cell.querySelector('.visually-hidden')?.textContent ?? ''
    );
    expect(owners).toHaveLength(20);
    expect(owners.filter((label) => label.includes('yours'))).toHaveLength(8);
    expect(owners.filter((label) => label.includes('of Bert'))).toHaveLength(6);
    expect(owners.filter((label) => label.endsWith('played') && !label.includes('can'))).toHaveLength(6);
  });
});

describe('a card', () => {
  it('shows rank and points: the seven ranks lowest and is worth more than the king', () => {
    const face = (card: string) => {
      const { container } = render(CardFace, { card, deck: following.facts.deck });
      const points = container.querySelector('.points text')?.textContent;
      const rungs = container.querySelectorAll('.ladder .held').length;
      return { points, rungs };
    };
    expect(face('7d')).toEqual({ points: '7', rungs: 1 });
    expect(face('Kd')).toEqual({ points: '4', rungs: 3 });
    expect(face('Ad')).toEqual({ points: '11', rungs: 5 });
  });
});

describe('the end of a game', () => {
  it('shows the sum and goes on to the next game', () => {
    const { match, facts } = overmated;
    const game = match.finished[0];
    if (!game) throw new Error('the first game is missing');
    let next = 0;
    render(EndPanel, {
      match,
      game,
      deck: facts.deck,
      last: false,
      reviewable: true,
      onnext: () => (next += 1)
    });
    expect(screen.getByRole('heading', { name: 'Overmate' })).toBeTruthy();
    expect(screen.getByTestId('sum').textContent).toBe('3 × 11 × 2 = 66');
    expect(screen.getByText('Bert mates with the queen of spades.')).toBeTruthy();
    screen.getByRole('button', { name: 'Exchange hands and play on' }).click();
    expect(next).toBe(1);
  });
});
