// Builds the addresses of tables, analyses and reviews.
import type { GameState, MatchState } from '$lib/api/types';

/** Returns an action without the marks `#` and `##` of a mate, which the server does not accept. */
export const bare = (text: string): string => text.replace(/#+$/, '');

/** Returns the page address of the analysis of a game after some of its steps. */
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

/** Returns the page address of the table of a match. For spectators, the address holds their token. */
export function tableAddress(id: string, watch: string | null): string {
  return watch ? `/watch/${id}/${encodeURIComponent(watch)}` : `/match/${id}`;
}

/** Returns the page address of the review of a game. For spectators, the address holds their token. */
export function reviewAddress(id: string, game: number, watch: string | null): string {
  return `/match/${id}/review?game=${game}${watch ? `&watch=${encodeURIComponent(watch)}` : ''}`;
}

/** Returns the page address of the review of a game with the spectators' token, so that any reader can open the page. */
export function sharedReview(match: MatchState, game: number): string {
  return reviewAddress(match.id, game, match.watch.split('/').at(-1) ?? '');
}
