// Cards by the facts of their deck: order, points, and colours of the suits.
import type { DeckFacts, RankFacts, SuitFacts } from '$lib/api/types';

export interface Card {
  text: string;
  rank: RankFacts;
  suit: SuitFacts;
  /** Number of lower ranks in the deck. */
  height: number;
}

const unknownRank: RankFacts = { letter: '?', name: '?', points: 0 };
const unknownSuit: SuitFacts = { letter: '?', name: '?', symbol: null };

/** Returns the card of a text like `Tc`. */
export function cardOf(deck: DeckFacts, text: string): Card {
  const rankAt = deck.ranks.findIndex((rank) => rank.letter === text[0]);
  const suit = deck.suits.find((suit) => suit.letter === text[1]) ?? unknownSuit;
  const rank = deck.ranks[rankAt] ?? unknownRank;
  return { text, rank, suit, height: deck.ranks.length - 1 - rankAt };
}

/** Returns the index of a rank as it stands on a card: `10` for the ten. */
export const indexOf = (rank: string): string => (rank === 'T' ? '10' : rank);

/** Returns the ranks of which the deck has cards; a doubled deck leaves one rank out. */
export const ranksIn = (deck: DeckFacts): RankFacts[] =>
  deck.ranks.filter(({ letter }) => deck.cards.some((card) => card[0] === letter));

export interface KeyedCard {
  text: string;
  key: string;
}

/** Returns the cards with keys that are unique even among identical cards. */
export function keyed(cards: string[]): KeyedCard[] {
  const seen = new Map<string, number>();
  return cards.map((text) => {
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return { text, key: `${text}${count}` };
  });
}

/** Returns whether the suits of the deck are the colours of the chess deck. */
export function isChess(deck: DeckFacts): boolean {
  return (
    deck.suits.every((suit) => 'bgyr'.includes(suit.letter)) && deck.ranks.some((rank) => rank.letter === 'N')
  );
}

export type Tint = 'ink' | 'red' | 'green' | 'blue' | 'yellow';

const twoColours: Record<string, Tint> = { h: 'red', d: 'red', b: 'blue', g: 'green', y: 'yellow', r: 'red' };
const fourColours: Record<string, Tint> = { ...twoColours, c: 'green', d: 'blue' };

/** Returns the colour in which a suit is printed. */
export function tintOf(suit: string, colours: 'two' | 'four'): Tint {
  return (colours === 'four' ? fourColours : twoColours)[suit] ?? 'ink';
}
