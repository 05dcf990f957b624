// Computes the answers to a lead, as far as the leader knows the opponent's hand. The server counts a card that lies face
// down among the answers, although the earlier actions may prove that the opponent does not hold the card.
import type { Answers } from '$lib/api/types';

/** Returns whether a card may be the face-down card. Of two identical cards in the hand, at most one lies face down. */
export const mayLieFaceDown = (card: string, hand: string[], candidates: string[]): boolean =>
  candidates.includes(card) && hand.indexOf(card) === hand.lastIndexOf(card);

/** Returns the answers to the lead of a card if the card `hidden` of the hand lies face down, so that it cannot answer. */
export function answersWithout(
  hidden: string,
  { cards, free_move: free }: Answers,
  led: string,
  hand: string[]
): Answers {
  const isHeld = (card: string) => card !== hidden;
  const held = { cards: cards.filter(isHeld), free_move: free.filter(isHeld) };
  if (held.cards.length > 0 || cards.length === 0) return held;
  // Without a card of the required kind (suit or, under a privilege, rank), the cards of the other kind must answer.
  const isOther = (card: string) => isHeld(card) && (card[0] === led[0] || card[1] === led[1]);
  return { cards: [...new Set(hand.filter(isOther))], free_move: [] };
}

/**
 * Returns the answers to the lead of a card without the face-down card of the hand, if the earlier actions leave only one
 * candidate for that card.
 */
export function possibleAnswers(
  answers: Answers,
  led: string,
  hand: string[],
  candidates: string[]
): Answers {
  const [sole, ...others] = candidates;
  if (sole === undefined || others.length > 0 || !mayLieFaceDown(sole, hand, candidates)) return answers;
  return answersWithout(sole, answers, led, hand);
}
