// Computes the cells of the board: the cards in each cell, and the part of the cell under each card.
import type { DeckFacts, Seat } from '$lib/api/types';
import { ranksIn } from '$lib/cards/deck';
import type { Played, Scene } from '$lib/game/scene';
import type { Side } from './types';

/** Card that lies in a cell of the board. */
export interface Lying {
  key: string;
  card: string;
  seat: Seat;
  /** Number of identical cards of one player in the cell, 1 or 2. */
  copies: number;
  /** Part of the cell that the card covers: the whole cell, or the upper or lower half. */
  part: 'whole' | 'upper' | 'lower';
  /** Role of the card in the current move, as lead or answer; null for a card in hand. */
  played: Played | null;
}

export interface Cell {
  /** Notation of the card with the suit of the cell's row and the rank of the cell's column on the board. */
  card: string;
  lying: Lying[];
  /** Whether a copy of the cell's card is foreplaced and no other copy lies in the cell. */
  out: boolean;
  /**
   * Free half of the board cell (upper or lower) if a card covers only the other half; otherwise an empty list. Only
   * decks with two copies of each card have halves.
   */
  free: ('upper' | 'lower')[];
}

export interface Row {
  suit: string;
  cells: Cell[];
}

const count = (cards: string[], card: string): number => cards.filter((other) => other === card).length;

/** Returns the rows of the board, one for each suit. A played answer lies on the led card instead of its own cell. */
export function cellsOf(deck: DeckFacts, scene: Scene, top: Side, bottom: Side, showPlayed: boolean): Row[] {
  const outs = [top, bottom].flatMap(({ foreplaced }) =>
    foreplaced?.kind === 'card' ? [foreplaced.card] : []
  );
  const lead = showPlayed ? scene.lead : null;
  return deck.suits.map((suit) => ({
    suit: suit.letter,
    cells: ranksIn(deck).map((rank) => {
      const card = rank.letter + suit.letter;
      const doubled = count(deck.cards, card) > 1;
      const lying = [top, bottom].flatMap((side): Lying[] => {
        const held = count(side.hand, card);
        const key = `${card}-${side.seat}`;
        const one = { card, seat: side.seat, copies: 1, part: 'whole' as const };
        return [
          ...(lead?.card === card && lead.seat === side.seat
            ? [{ ...one, key: `${key}-lead`, played: lead }]
            : []),
          ...(held > 0 ? [{ ...one, key, copies: held, played: null }] : [])
        ];
      });
      const free: Cell['free'] = [];
      if (doubled) {
        const [first, second] = lying;
        if (first && second) [first.part, second.part] = ['upper', 'lower'];
        else if (first && first.copies === 1) {
          first.part = first.seat === top.seat ? 'upper' : 'lower';
          free.push(first.part === 'upper' ? 'lower' : 'upper');
        }
      }
      return { card, lying, out: outs.includes(card) && lying.length === 0, free };
    })
  }));
}
