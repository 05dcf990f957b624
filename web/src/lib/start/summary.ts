// Describes matches in the match list, from the point of view of this browser's player.
import type { MatchSummary, Player } from '$lib/api/types';
import { eventOf } from '$lib/game/event';
import { otherPlayer } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';
import { playerName } from '$lib/text/words';

/**
 * Returns the letter, A or B, of this browser's player in a match. Returns A if this browser's player plays both sides.
 */
export const viewerIn = ({ you }: MatchSummary): Player => (you === 'b' ? 'b' : 'a');

/** Returns the letter, A or B, of the opponent of this browser's player in a match. */
export const otherIn = (match: MatchSummary): Player => otherPlayer(viewerIn(match));

/**
 * Describes the opponent in a match as a phrase, such as `against Level 3` or `open invitation`. The phrase also names
 * the match of a tournament event as such.
 */
export function opponentSays(match: MatchSummary): string {
  const other = otherIn(match);
  if (match.you === 'both') return m.matches_both();
  const facts = match.players[other];
  if (facts.kind === 'open') return m.matches_invited();
  const name = playerName(facts, other);
  return eventOf(match) ? m.matches_event({ name }) : m.matches_against({ name });
}

/** Returns whether a match belongs in the match list: the match has begun, or an invitation is open. */
export const isListed = (match: MatchSummary): boolean =>
  match.begun || match.players[otherIn(match)].kind === 'open';
