// Makes and parses the placeholders that stand for cards and suits in a sentence. The placeholder `[Qh]` is a light
// card, `[-Qh]` a dark card, and `[h]` a suit.
import type { Answers, DeckFacts } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { getLocale } from '$lib/paraglide/runtime';
import { cardName, suitName } from './words';

/**
 * Card or suit in a sentence, which the page shows as a picture. The punctuation `end` directly behind the picture stays
 * on the same line.
 */
export type Picture =
  { kind: 'suit'; suit: string; end: string } | { kind: 'card'; card: string; light: boolean; end: string };

export type Part = { kind: 'text'; text: string } | Picture;

/**
 * Returns the placeholder for a card in a sentence, such as `[Qh]`. The page replaces the placeholder by a picture of
 * the card.
 */
export const cardSign = (card: string, light: boolean): string => `[${light ? '' : '-'}${card}]`;

/** Lists alternatives, such as `ace, king, or queen`. */
export const alternatives = (texts: readonly string[]): string =>
  new Intl.ListFormat(getLocale(), { type: 'disjunction' }).format(texts);

/** Returns the placeholders for cards as a list of alternatives, such as `[Qh], [Kh], or [Ah]`. */
export const anyOf = (cards: readonly string[], light: boolean): string =>
  alternatives(cards.map((card) => cardSign(card, light)));

/**
 * Returns the placeholders for the cards that can answer a lead as a list of alternatives. The cards of the free move
 * come last and are named as such.
 */
export function answersSay({ cards, free_move }: Answers, light: boolean): string {
  if (free_move.length === 0) return anyOf(cards, light);
  return m.answers_or_free({ cards: anyOf(cards, light), free: anyOf(free_move, light) });
}

/**
 * Returns the placeholder for a suit in a sentence, such as `[h]`. The page replaces the placeholder by a picture of
 * the suit.
 */
export const suitSign = (suit: string): string => `[${suit}]`;

/** Splits a sentence at its placeholders for cards and suits. Returns the texts, cards and suits in order. */
export function parts(text: string): Part[] {
  return text
    .split(/(\[-?[A-Z0-9]?[a-z]\][.,:;]?)/)
    .filter(Boolean)
    .map((text): Part => {
      const [, dark, card, end = ''] = /^\[(-?)([A-Z0-9]?[a-z])\](.?)$/.exec(text) ?? [];
      if (!card) return { kind: 'text', text };
      return card.length > 1 ? { kind: 'card', card, light: !dark, end } : { kind: 'suit', suit: card, end };
    });
}

/** Replaces the placeholders in a sentence by the names of cards and suits. */
export function plain(deck: DeckFacts, text: string): string {
  return parts(text)
    .map((part) => {
      if (part.kind === 'text') return part.text;
      return (part.kind === 'card' ? cardName(deck, part.card) : suitName(deck, part.suit)) + part.end;
    })
    .join('');
}
