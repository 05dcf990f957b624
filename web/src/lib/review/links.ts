// Addresses of the analysis and the review: all that they show is in them.
import type { GameState, MatchState } from '$lib/api/types';

/** An action as the server takes it back: without the mark of a mate. */
export const bare = (text: string): string => text.replace(/#+$/, '');

/** The analysis of a game after some of its steps. */
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

/** The table of a match, for its players or, with a token, for those who watch. */
export function tableAddress(id: string, watch: string | null): string {
  return watch ? `/watch/${id}/${encodeURIComponent(watch)}` : `/match/${id}`;
}

/** The review of a game, for its players or for those who watch. */
export function reviewAddress(id: string, game: number, watch: string | null): string {
  return `/match/${id}/review?game=${game}${watch ? `&watch=${encodeURIComponent(watch)}` : ''}`;
}

/** The review of a game, for anybody who has the link. */
export function sharedReview(match: MatchState, game: number): string {
  return reviewAddress(match.id, game, match.watch.split('/').at(-1) ?? '');
}
