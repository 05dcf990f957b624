// Builds the URLs of the pages that show a match, an analysis or a review.
import type { GameState, MatchState } from '$lib/api/types';

/** Removes the mate marks `#` and `##` from an action, because the server does not accept these marks. */
export const bare = (text: string): string => text.replace(/#+$/, '');

/** Returns the URL of the analysis page for the position of a game after its first `at` actions. */
export function analysisAddress(
  rules: string,
  game: GameState,
  at: number,
  perfect: string | null = null
): string {
  const query = new URLSearchParams({ rules });
  if (game.deal !== null) query.set('deal', game.deal);
  const actions = game.steps.slice(0, at).map((step) => bare(step.text));
  if (actions.length > 0) query.set('line', actions.join(','));
  if (perfect) query.set('perfect', perfect);
  return `/analysis?${query}`;
}

/**
 * Returns the URL of the page on which a match is played or watched. For spectators, the URL contains the spectator
 * token.
 */
export function tableAddress(id: string, watch: string | null): string {
  return watch ? `/watch/${id}/${encodeURIComponent(watch)}` : `/match/${id}`;
}

/** Returns the URL of a game's review. For spectators, the URL contains the spectator token. */
export function reviewAddress(id: string, game: number, watch: string | null): string {
  return `/match/${id}/review?game=${game}${watch ? `&watch=${encodeURIComponent(watch)}` : ''}`;
}

/** Returns the URL of a game's review with the spectator token, so that the link can be shared with everybody. */
export function sharedReview(match: MatchState, game: number): string {
  return reviewAddress(match.id, game, match.watch.split('/').at(-1) ?? '');
}
