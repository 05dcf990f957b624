// Explains a player's first match: finds the topics to explain at a moment of a game, and returns a text on each topic.
import type { GameState, LegalAction, OutcomeState } from '$lib/api/types';
import { answersTo, countOfAnswers } from '$lib/board/notes';
import { otherSeat, playerOn, type Scene } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';
import { nameOf, rankName } from '$lib/text/words';
import { answersSay, cardSign, suitSign } from '$lib/text/written';
import type { Situation } from './status';

export type Topic = 'lead' | 'suit' | 'rank' | 'winner' | 'mate' | 'exchange' | 'points';

/** Snapshot of a game and its display, from which the coach for new players chooses the topics to explain. */
export interface CoachedMoment {
  game: GameState;
  scene: Scene;
  legal: LegalAction[];
  /** Whether the hands were exchanged immediately before the shown moment. */
  exchanged: boolean;
  /** Whether the page shows the end of the game. */
  ended: boolean;
  /** Whether marks on the board (seals) show which leads give mate. */
  seals: boolean;
}

/** Returns whether a game ended in a mate that scored the points of its card times the number of the move. */
const isPlainMate = (outcome: OutcomeState | null): boolean =>
  outcome?.multiplier != null && outcome.multiplier.factor === outcome.move;

/**
 * Returns the topics that the coach can explain at a moment of a game, the most important first. A player's lead
 * is the first topic, so that the numbers of possible answers stand on the cards before the first lead, even
 * if other topics are new, too.
 */
export function topicsOf({ game, scene, legal, exchanged, ended, seals }: CoachedMoment): Topic[] {
  if (ended) return isPlainMate(game.outcome) ? ['points'] : [];
  const topics: Topic[] = [];
  const leads = game.phase === 'lead' && legal.length > 0;
  if (legal.some((action) => leads && countOfAnswers(game, action))) topics.push('lead');
  if (exchanged) topics.push('exchange');
  if (scene.answer) topics.push('winner');
  if (legal.length === 0 || game.phase === 'foreplace') return topics;
  if (leads) {
    if (seals && legal.some(({ mate }) => mate)) topics.push('mate');
  } else if (game.lead && !game.lead.demanded) {
    const led = game.lead.card;
    const own = game.to_act ? game.hands[game.to_act] : [];
    // A privilege can require an answer in rank from a player who holds the suit. No topic explains privileges. The card
    // identical to the lead has its suit and its rank, so that it does not show which of both is required.
    const inSuit = (card: string) => card[1] === led[1] && card !== led;
    if (legal.some(({ card, kind }) => kind === 'follow' && card && inSuit(card))) topics.push('suit');
    else if (!own.some((card) => card[1] === led[1])) topics.push('rank');
  }
  return topics;
}

/** Returns the coach's explanation of a topic for the shown position. */
export function coachSays(topic: Topic, { match, game, scene, deck, legal }: Situation): string {
  const you = game.to_act ?? 'first';
  const other = playerOn(game, otherSeat(you));
  const name = nameOf(match, other);
  const led = game.lead?.card ?? scene.lead?.card ?? '';
  const words = { suit: suitSign(led[1] ?? ''), rank: rankName(deck, led[0] ?? ''), name };
  switch (topic) {
    case 'lead': {
      const count = (action: LegalAction) => countOfAnswers(game, action) ?? 0;
      const [fewest] = legal.filter(count).sort((one, two) => count(one) - count(two));
      const answers = fewest && answersTo(game, fewest);
      const cards = answers ? answersSay(answers, false) : '';
      // A friend who has not joined the match yet has no name.
      const whose = match.players[other].kind === 'open' ? m.coach_opponent() : name;
      return m.coach_lead({ name: whose, card: cardSign(fewest?.card ?? '', true), cards });
    }
    case 'suit':
      return legal.some(({ kind }) => kind === 'free') ? m.coach_suit_free(words) : m.coach_suit(words);
    case 'rank':
      return m.coach_rank(words);
    case 'winner':
      return m.coach_winner();
    case 'mate':
      return m.coach_mate();
    case 'exchange':
      return m.coach_exchange();
    case 'points':
      return m.coach_points();
  }
}
