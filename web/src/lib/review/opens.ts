// Describes in words when the server opens the review of a game.
import type { MatchState } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';

/**
 * Returns a sentence that tells when the server opens the review of a game. With clocks, the match must be over.
 * Between people and on a shared deal, both games of the deal must be over. Otherwise, the game itself must be over.
 */
export function reviewOpens({ clocks, players, shared_deal, current }: MatchState, index: number): string {
  if (clocks) return m.end_review_at_end();
  const isHelped =
    shared_deal === null && Object.values(players).every(({ kind }) => kind !== 'friend' && kind !== 'open');
  const isRunning = index >= current.index;
  return isHelped && isRunning ? m.end_review_after_game() : m.end_review_later();
}
