// Explains in a sentence why an action lost points, and sorts the actions of a review by the lost points.
import type { GameState, Player, Review, ReviewedAction, Seat } from '$lib/api/types';
import { playerOn } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';
import { valueFor } from '$lib/text/values';
import { anyOf, cardSign } from '$lib/text/written';

/** Returns the actions with which a player lost points, the largest loss first. */
export function mistakesOf(game: GameState, review: Review, player: Player): ReviewedAction[] {
  const own = review.actions.filter((action) => action.lost && playerOn(game, action.seat) === player);
  return own.sort((a, b) => (b.lost ?? 0) - (a.lost ?? 0));
}

/** Explains why a foreplacing choice was wrong, by comparison with the best actions. */
function foreplacingSays({ action, best }: ReviewedAction): string {
  const isDecline = (action: string) => action === '-';
  if (isDecline(action)) return m.reason_foreplace_needed();
  if (!best.some(isDecline)) return m.reason_foreplace_other();
  return best.every(isDecline) ? m.reason_foreplace_nothing() : m.reason_foreplace_other_or_nothing();
}

/**
 * Explains in a sentence, with placeholders for pictures of cards, why an action lost points. If no reason is known,
 * the sentence gives the values before and after the action.
 *
 * @param viewer seat whose cards are light, and whose points count as positive
 */
export function reasonSays(reviewed: ReviewedAction, viewer: Seat): string {
  const { mistake, seat } = reviewed;
  const own = seat === viewer;
  const card = mistake?.cards[0] ?? '';
  switch (mistake?.kind) {
    case 'mate-overlooked':
      return m.reason_mate_overlooked({ card: cardSign(card, own) });
    case 'cheaper-mate':
      return m.reason_cheaper_mate({ card: cardSign(card, own) });
    case 'mate-too-early':
      return m.reason_mate_too_early();
    case 'foreplacing':
      return foreplacingSays(reviewed);
    case 'mate-allowed':
      return m.reason_mate_allowed({ card: cardSign(card, !own) });
    case 'last-answer':
      return m.reason_last_answer({ cards: anyOf(mistake.cards, !own) });
    case 'move-lost':
      return m.reason_move_lost();
    case 'move-won':
      return m.reason_move_won();
    case undefined:
      return m.reason_value({
        before: valueFor(viewer, reviewed.before_for_first),
        after: valueFor(viewer, reviewed.after_for_first)
      });
  }
}
