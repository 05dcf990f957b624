// Starts a match on the server, and opens its table.
import { goto } from '$app/navigation';
import { createMatch } from '$lib/api/api';
import { Once } from '$lib/api/once';
import { asProblem, type Problem } from '$lib/api/problem';
import type { NewMatch } from '$lib/api/types';

export class Beginning {
  /** Whether a match is being started. Meanwhile no second match can start. */
  busy = $state(false);
  /** Problem of the last attempt. */
  problem = $state.raw<Problem | null>(null);

  #once = new Once();

  async begin(match: NewMatch): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = null;
    try {
      const { id } = await this.#once.send(
        JSON.stringify(match),
        (client_id) => createMatch({ ...match, client_id }),
        (problem) => (this.problem = problem)
      );
      this.problem = null;
      await goto(`/match/${id}`);
    } catch (thrown) {
      this.problem = asProblem(thrown);
    }
    this.busy = false;
  }
}
