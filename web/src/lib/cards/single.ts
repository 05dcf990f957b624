// Holds the data of the single deck (one copy of each card), for pictures that do not wait for the server.
import type { DeckFacts } from '$lib/api/types';

const suits = [
  { letter: 'c', name: 'clubs', symbol: '♣' },
  { letter: 's', name: 'spades', symbol: '♠' },
  { letter: 'h', name: 'hearts', symbol: '♥' },
  { letter: 'd', name: 'diamonds', symbol: '♦' }
];
const ranks = [
  { letter: 'A', name: 'ace', points: 11 },
  { letter: 'T', name: 'ten', points: 10 },
  { letter: 'K', name: 'king', points: 4 },
  { letter: 'Q', name: 'queen', points: 3 },
  { letter: '7', name: 'seven', points: 7 }
];

export const singleDeck: DeckFacts = {
  suits,
  ranks,
  cards: suits.flatMap((suit) => ranks.map((rank) => rank.letter + suit.letter))
};
