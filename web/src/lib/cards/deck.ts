// Computes the order and points of cards, and the colours of suits, from the description of a deck.
import type { DeckFacts, RankFacts, SuitFacts } from '$lib/api/types';
import type { Settings } from '$lib/settings.svelte';

export interface Card {
  text: string;
  rank: RankFacts;
  suit: SuitFacts;
  /** Number of ranks in the deck that are lower than the rank of the card. */
  height: number;
}

const unknownRank: RankFacts = { letter: '?', name: '?', points: 0 };
const unknownSuit: SuitFacts = { letter: '?', name: '?', symbol: null };

/** Parses the notation of a card, such as `Tc`. */
export function cardOf(deck: DeckFacts, text: string): Card {
  const rankAt = deck.ranks.findIndex((rank) => rank.letter === text[0]);
  const suit = deck.suits.find((suit) => suit.letter === text[1]) ?? unknownSuit;
  const rank = deck.ranks[rankAt] ?? unknownRank;
  return { text, rank, suit, height: deck.ranks.length - 1 - rankAt };
}

/** German rank letters of cards and chess pieces, by English rank name. */
const germanIndices: Record<string, string> = { queen: 'D', jack: 'B', rook: 'T', bishop: 'L', knight: 'S' };

/**
 * Returns the corner text of a rank, such as `10` for the ten. With `german` indices, the letters are German.
 */
export function indexOf(deck: DeckFacts, letter: string, indices: Settings['indices']): string {
  if (letter === 'T') return '10';
  const name = deck.ranks.find((rank) => rank.letter === letter)?.name ?? '';
  return (indices === 'german' ? germanIndices[name.toLowerCase()] : undefined) ?? letter;
}

/** Returns the ranks that occur among the cards of a deck. The double deck also has a rank without cards. */
export const ranksIn = (deck: DeckFacts): RankFacts[] =>
  deck.ranks.filter(({ letter }) => deck.cards.some((card) => card[0] === letter));

export interface KeyedCard {
  text: string;
  key: string;
}

/** Returns cards, each with a key that is unique in a rendered list. Identical cards get different keys. */
export function keyed(cards: string[]): KeyedCard[] {
  const seen = new Map<string, number>();
  return cards.map((text) => {
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { text, key: `${text}${count}` };
  });
}

/** Returns whether a deck is the chess deck, whose suits are colours. */
export function isChess(deck: DeckFacts): boolean {
  return (
    deck.suits.every((suit) => 'bgyr'.includes(suit.letter)) && deck.ranks.some((rank) => rank.letter === 'N')
  );
}

export type Tint = 'ink' | 'red' | 'green' | 'blue' | 'yellow';

const twoColours: Record<string, Tint> = { h: 'red', d: 'red', b: 'blue', g: 'green', y: 'yellow', r: 'red' };
const fourColours: Record<string, Tint> = { ...twoColours, c: 'green', d: 'blue' };

/** Returns the printed colour of a suit. */
export function tintOf(suit: string, colours: 'two' | 'four'): Tint {
  return (colours === 'four' ? fourColours : twoColours)[suit] ?? 'ink';
}
