// Holds a match in reactive Svelte state, so that tests can change the match and check how a `TableView` shows the
// changes.
import type { MatchState } from '$lib/api/types';
import type { TableView } from '$lib/game/view.svelte';

export class ShownMatch {
  match = $state.raw<MatchState | null>(null);

  constructor(first: MatchState) {
    this.match = first;
  }

  /**
   * Runs the Svelte effect by which a `TableView` (the state of a game table on the page) follows the changes of a
   * match. Returns the function that stops the effect.
   */
  static follow(view: TableView): () => void {
    return $effect.root(() => {
      $effect(() => view.follow());
    });
  }
}
