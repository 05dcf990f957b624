// Computes the marks on the board of a review: the card that was played next, and the best cards.
import type { Review } from '$lib/api/types';
import type { ReviewMark, ReviewMarks } from '$lib/board/types';
import { cardIn } from '$lib/text/actions';

/**
 * Returns the review marks for the action that follows the first `at` actions of a game. Returns null at the end of
 * the game.
 */
export function marksAt({ actions }: Review, at: number): ReviewMarks | null {
  const action = actions.find(({ index }) => index === at);
  if (!action) return null;
  const cards = new Map<string, ReviewMark>();
  const mark = (text: string, as: ReviewMark) => {
    const card = cardIn(text);
    if (card) cards.set(card, as);
  };
  // The played card is marked last, so that its mark replaces the mark of a best action with the same card.
  if (action.lost) for (const best of action.best) mark(best, { kind: 'best', lost: null });
  mark(action.action, { kind: action.lost === 0 ? 'right' : 'played', lost: action.lost });
  return { seat: action.seat, cards };
}
