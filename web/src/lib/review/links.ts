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

/** The review of a game, for anybody who has the link. */
export function reviewAddress(match: MatchState, game: number): string {
  return `/match/${match.id}/review?game=${game}&watch=${match.watch.split('/').at(-1) ?? ''}`;
}
