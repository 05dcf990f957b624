// Starts a match on the server, and opens its table.
import { goto } from '$app/navigation';
import { createMatch } from '$lib/api/api';
import { Once } from '$lib/api/once';
import type { NewMatch } from '$lib/api/types';
import { RequestRunner } from '$lib/ui/request.svelte';

/**
 * Runner of the requests that create a match and open its table. While a match is being started, no second
 * match can start.
 */
export class Beginning extends RequestRunner {
  #once = new Once();

  begin(match: NewMatch): Promise<unknown> {
    return this.run(async () => {
      const request = (client_id: string) => createMatch({ ...match, client_id });
      const { id } = await this.#once.send(JSON.stringify(match), request, this.lost);
      await goto(`/match/${id}`);
    });
  }
}
