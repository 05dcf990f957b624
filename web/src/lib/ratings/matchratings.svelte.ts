// Reads the ratings of the players of a rated match.
import { matchRatings } from '$lib/api/api';
import type { MatchRatings } from '$lib/api/types';
import type { LiveMatch } from '$lib/game/live.svelte';

/**
 * Ratings of the players of a rated match. The object must be created during the initialisation of a component,
 * because it uses an effect of the component.
 */
export class RatingsOfMatch {
  /**
   * Ratings of both players before the match and, if the match has ended, after the match. Null for an unrated match,
   * and before the server's response.
   */
  read = $state.raw<MatchRatings | null>(null);

  constructor(live: LiveMatch) {
    // The page reads the ratings when it opens, after a friend has joined the match, and after the match has ended.
    const reason = $derived.by(() => {
      const match = live.state;
      return match?.rated ? `${match.players.a.kind} ${match.players.b.kind} ${match.result !== null}` : '';
    });
    $effect(() => {
      // Without a response of the server, the match goes on without ratings.
      if (reason)
        void matchRatings(live.id, live.watch).then(
          (read) => (this.read = read),
          () => {}
        );
    });
  }
}
