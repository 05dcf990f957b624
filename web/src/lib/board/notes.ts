// Converts the server's state of a game to notes on the acting player's cards, such as the reason why a card cannot be
// played.
import type { Answers, DeckFacts, GameState, LegalAction } from '$lib/api/types';
import { answersWithout, mayLieFaceDown, possibleAnswers } from '$lib/game/answers';
import { otherSeat } from '$lib/game/scene';
import { cardIn } from '$lib/text/actions';
import { whyNot } from '$lib/text/words';
import type { CardNote } from './types';

/**
 * Empty map of notes on cards, such as the reason why a card cannot be played. A board on which the viewer cannot
 * choose an action has this map.
 */
export const NO_NOTES: ReadonlyMap<string, CardNote> = new Map();

/** Action with its value in points for the acting player. */
export interface ActionValue {
  action: string;
  /** Value as the card shows it, such as `+16`, `≥−4` or `?`. */
  value: string;
  /** Number by which values are compared: the exact value, the estimate, or the proved lower bound. */
  points: number;
  best: boolean;
}

/** Answers to a lead, as far as the leader knows the opponent's hand. A lead without answers gives mate. */
export interface KnownAnswers extends Answers {
  /** Whether one of the answers may lie face down, so that it cannot answer. */
  uncertain: boolean;
  /** Cards that can answer if the only answer lies face down; empty if the answers are certain or several. */
  otherwise: string[];
}

/** Returns the answers of the opponent to a lead, or null for another action. */
export function answersTo(game: GameState, { card: led, answers }: LegalAction): KnownAnswers | null {
  if (!led || !answers || !game.to_act) return null;
  const seat = otherSeat(game.to_act);
  const hand = game.hands[seat];
  const { candidates } = game.foreplaced[seat];
  const known = possibleAnswers(answers, led, hand, candidates);
  const [only, ...others] = [...known.cards, ...known.free_move];
  if (only === undefined) return { ...known, uncertain: false, otherwise: [] };
  const uncertain = [only, ...others].some((card) => mayLieFaceDown(card, hand, candidates));
  const otherwise = uncertain && others.length === 0 ? answersWithout(only, known, led, hand).cards : [];
  return { ...known, uncertain, otherwise };
}

/**
 * Returns the number of cards that can answer a lead, with and without the free move. Returns undefined for another
 * action, and for a lead with an answer that may lie face down, because the leader cannot know the number.
 */
export function countOfAnswers(game: GameState, action: LegalAction): number | undefined {
  const answers = answersTo(game, action);
  return answers && !answers.uncertain ? answers.cards.length + answers.free_move.length : undefined;
}

/**
 * Returns notes on the cards of the acting player: the effect of each playable card, the reason why a card cannot be
 * played, and known values.
 */
export function cardNotes(
  deck: DeckFacts,
  game: GameState,
  legal: LegalAction[],
  values: ActionValue[]
): ReadonlyMap<string, CardNote> {
  const notes = new Map<string, CardNote>();
  for (const action of legal) {
    const { card, mate, wins } = action;
    if (!card || notes.has(card)) continue;
    notes.set(card, {
      legal: true,
      mate: mate?.points,
      answers: countOfAnswers(game, action),
      wins: wins ?? undefined
    });
  }
  for (const barred of game.not_legal) {
    if (notes.has(barred.card)) continue;
    notes.set(barred.card, { legal: false, why: whyNot(deck, game.lead?.card ?? null, barred) });
  }
  // If a card has two legal actions, its note shows the better value: a later value overwrites an earlier one.
  const rising = values.toSorted(
    (one, two) => Number(one.best) - Number(two.best) || one.points - two.points
  );
  for (const { action, value, best } of rising) {
    const card = cardIn(action);
    if (card) notes.set(card, { legal: true, ...notes.get(card), value, best });
  }
  return notes;
}
