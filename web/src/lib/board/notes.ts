// Notes on the cards of the acting hand, collected from what the server sent about a game.
import type { DeckFacts, GameState, LegalAction } from '$lib/api/types';
import { cardIn } from '$lib/text/actions';
import { whyNot } from '$lib/text/words';
import type { CardNote } from './types';

/** Notes of a board on which nobody acts. */
export const NO_NOTES: ReadonlyMap<string, CardNote> = new Map();

/** Known value of one action, written as the acting player sees it. */
export interface ActionValue {
  action: string;
  value: string;
  best: boolean;
}

/** Returns the legality, reason and effect of each card, and its value where one is known. */
export function cardNotes(
  deck: DeckFacts,
  game: GameState,
  legal: LegalAction[],
  values: ActionValue[]
): ReadonlyMap<string, CardNote> {
  const notes = new Map<string, CardNote>();
  for (const { card, mate, wins } of legal) {
    if (!card || notes.has(card)) continue;
    notes.set(card, { legal: true, mate: mate?.points, wins: wins ?? undefined });
  }
  for (const barred of game.not_legal) {
    if (notes.has(barred.card)) continue;
    notes.set(barred.card, { legal: false, why: whyNot(deck, game.lead?.card ?? null, barred) });
  }
  // A card that allows two actions shows the value of the better one.
  for (const { action, value, best } of values) {
    const card = cardIn(action);
    if (card && (best || !notes.get(card)?.best))
      notes.set(card, { legal: true, ...notes.get(card), value, best });
  }
  return notes;
}
