// Describes actions in words, from their notation.
import type { DeckFacts, LegalAction } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { cardName, rankName } from './words';
import { cardSign } from './written';

/** Returns the card in the notation of an action. Returns null for an action without a card. */
export function cardIn(action: string): string | null {
  return /[A-Z2-9][a-z]/.exec(action)?.[0] ?? null;
}

/**
 * Describes an action as a part of a sentence, in words without commas.
 *
 * @param named function that returns the name of a card, or the placeholder for a picture of the card
 */
export function actionInSentence(action: string, named: (card: string) => string): string {
  const text = cardIn(action);
  if (action === '-') return m.action_decline();
  if (!text) return m.action_hidden();
  const card = named(text);
  if (action.startsWith('(')) return m.action_foreplace({ card });
  if (action.includes('!')) return m.action_demand({ card });
  return action.includes('*') ? m.action_free({ card }) : card;
}

/** Describes an action like `actionInSentence`, with the name of the card in words. */
export const actionSays = (deck: DeckFacts, action: string): string =>
  actionInSentence(action, (card) => cardName(deck, card));

/** Lists the legal actions in a sentence: the playable cards, the cards of the free move as such, and declining. */
export function legalSays(deck: DeckFacts, legal: LegalAction[]): string {
  const names = legal.map(({ action, card, kind }) =>
    card && kind !== 'free' ? cardName(deck, card) : actionSays(deck, action)
  );
  return names.length > 0 ? m.says_legal({ cards: [...new Set(names)].join(', ') }) : m.says_legal_none();
}

/** Returns the label of the button for a legal action. The label does not mention the effect of the action. */
export function plainLabel(deck: DeckFacts, { card, kind }: LegalAction, light: boolean): string {
  const words = { card: cardSign(card ?? '', light), rank: rankName(deck, card?.[0] ?? '') };
  const label: Record<LegalAction['kind'], (inputs: typeof words) => string> = {
    decline: m.choose_decline,
    foreplace: m.choose_foreplace,
    lead: m.choose_lead_plain,
    demand: m.choose_demand,
    follow: m.choose_answer,
    free: m.choose_free
  };
  return label[kind](words);
}
