// Converts a hint to a sentence, and to values on the cards.
import type { Hint, LegalAction, Seat } from '$lib/api/types';
import type { ActionValue } from '$lib/board/notes';
import { m } from '$lib/paraglide/messages';
import { actionInSentence, cardIn } from '$lib/text/actions';
import { signed } from '$lib/text/words';
import { cardSign } from '$lib/text/written';

type HintedAction = Hint['actions'][number];

/**
 * Converts a hint to a list of actions with their values, which the board shows on the cards. The sign `≥` marks a
 * value of which only a lower bound is proved, and `~` an estimate.
 */
export function hintValues({ actions }: Hint): ActionValue[] {
  return actions.map(({ action, points_for_you, value_for_first, estimate, best }) => ({
    action,
    value:
      value_for_first.exact !== null
        ? signed(points_for_you)
        : estimate === null
          ? `≥${signed(points_for_you)}`
          : `~${signed(estimate)}`,
    points: estimate ?? points_for_you,
    best
  }));
}

/** Returns the proved upper bound of a seat's final points after an action. */
function most({ value_for_first: { low, high } }: HintedAction, seat: Seat): number {
  return seat === 'first' ? high : -low;
}

/**
 * Describes a hint in a sentence: the best action, the points of the action, and whether the points are proved.
 *
 * @param seat seat of the player who requested the hint
 * @param light whether that player's cards are light
 */
export function hintSays(hint: Hint, legal: LegalAction[], seat: Seat, light: boolean): string {
  const bests = hint.actions.filter(({ best }) => best);
  const mates = legal.flatMap(({ action, mate }) => (mate ? [{ action, points: mate.points }] : []));
  // A sentence on several actions names one that plays a card.
  const first = bests.find(({ action }) => cardIn(action)) ?? bests[0];
  if (!first) return '';
  // The sentences are about cards, so that they name the card of a foreplacing alone.
  const named = (action: string) =>
    actionInSentence(action.replace(/[()]/g, ''), (card) => cardSign(card, light));
  const card = named(first.action);
  const value = signed(first.points_for_you);
  const bounds = { card, low: value, high: signed(most(first, seat)) };
  if (hint.hidden_card && first.value_for_first.exact === null) return m.hint_hidden(bounds);
  if (first.value_for_first.exact === null && first.estimate !== null && hint.horizon !== null)
    return m.hint_estimate({ ...bounds, value: signed(first.estimate), n: hint.horizon });
  if (first.value_for_first.exact === null) return m.hint_least(bounds);
  const mating = mates.find((mate) => bests.some(({ action }) => action === mate.action));
  if (mating) return m.hint_mate({ card: named(mating.action) });
  if (mates.length > 0) {
    const points = Math.max(...mates.map((mate) => mate.points));
    return m.hint_wait({ card, value, points });
  }
  if (bests.length === hint.actions.length && bests.length > 1) return m.hint_all({ value });
  const cards = new Set(bests.flatMap(({ action }) => cardIn(action) ?? [])).size;
  return cards > 1 ? m.hint_some({ n: cards, value, card }) : m.hint_one({ card, value });
}
