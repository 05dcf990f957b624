// Descriptions of actions in words, made from their notation.
import type { DeckFacts } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { cardName } from './words';

/** Returns the card in the notation of an action, or null if the action names no card. */
export function cardIn(action: string): string | null {
  return /[A-Z2-9][a-z]/.exec(action)?.[0] ?? null;
}

/** Returns a description of an action in a few words. */
export function actionSays(deck: DeckFacts, action: string): string {
  const text = cardIn(action);
  if (action === '-') return m.action_decline();
  if (!text) return m.action_hidden();
  const card = cardName(deck, text);
  if (action.startsWith('(')) return m.action_foreplace({ card });
  if (action.includes('!')) return m.action_demand({ card });
  if (action.includes('*')) return m.action_free({ card });
  return card;
}
