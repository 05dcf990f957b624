// Defines match states that were recorded from the real server. In each recorded match, one player plays both sides.
import type { MatchState, RuleFacts } from '$lib/api/types';
import demand from './fixtures/demand.json';
import double from './fixtures/double.json';
import faceDown from './fixtures/face-down.json';
import follow from './fixtures/follow.json';
import freeMove from './fixtures/free-move.json';
import overmate from './fixtures/overmate.json';
import rulesDenexa from './fixtures/rules-denexa.json';
import rulesDouble from './fixtures/rules-double.json';
import rulesFreeMove from './fixtures/rules-free-move.json';
import rulesKing from './fixtures/rules-kings-privilege.json';
import rulesSackson from './fixtures/rules-sackson.json';

const fixture = (match: unknown, facts: unknown) => ({
  match: match as MatchState,
  facts: facts as RuleFacts
});

/** Match with Sackson's rules in which an ace of diamonds is led and the follower holds a diamond. */
export const following = fixture(follow, rulesSackson);
/**
 * Match with Sackson's rules whose first game has ended in an overmate (a mate in the last possible move). The overmate
 * scored 3 × 11 × 2 = 66 points.
 */
export const overmated = fixture(overmate, rulesSackson);
/**
 * Match with Rael's rules and the king's privilege, in which a king can be led with or without the demand of an answer
 * in rank.
 */
export const demanding = fixture(demand, rulesKing);
/** Match with the free-move variation. The led ten of clubs can be answered in clubs, or with the ten of spades. */
export const free = fixture(freeMove, rulesFreeMove);
/** Match with the double deck, before the first action. */
export const doubled = fixture(double, rulesDouble);
/** Match with Denexa's rules before the first lead. The opponent, the seat *second*, has foreplaced a card face down. */
export const hiding = fixture(faceDown, rulesDenexa);
