// Reads the ratings of the players of a rated match.
import { matchRatings } from '$lib/api/api';
import type { MatchRatings } from '$lib/api/types';
import type { LiveMatch } from '$lib/game/live.svelte';

/** Ratings in a rated match. The object must be made while a component is being made, which owns its effect. */
export class RatingsOfMatch {
  /** Ratings before the match and, after its end, also after it; null without a rated match or an answer. */
  read = $state.raw<MatchRatings | null>(null);

  constructor(live: LiveMatch) {
    // The ratings are read at first, after a friend has joined, and after the end.
    const reason = $derived.by(() => {
      const match = live.state;
      return match?.rated ? `${match.players.a.kind} ${match.players.b.kind} ${match.result !== null}` : '';
    });
    $effect(() => {
      // Without an answer the match goes on without ratings.
      if (reason)
        void matchRatings(live.id, live.watch).then(
          (read) => (this.read = read),
          () => {}
        );
    });
  }
}
