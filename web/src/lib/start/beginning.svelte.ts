// Begins a match on the server or in the page, and opens the page of the match.
import { goto } from '$app/navigation';
import { createMatch } from '$lib/api/api';
import { Once } from '$lib/api/once';
import { asProblem } from '$lib/api/problem';
import type { MatchState, NewMatch } from '$lib/api/types';
import { canPlayHere, hasOfflinePlay, noEngine } from '$lib/offline/ability';
import { RequestRunner } from '$lib/ui/request.svelte';

/**
 * Retry delays, in milliseconds, of the request that begins a match on the server. The delays apply to matches that the
 * page could also play without the server.
 */
const SHORT = [1000];

/** Begins an offline match, which the page plays without the server. The code for such matches is loaded only now. */
async function beginHere(match: NewMatch): Promise<MatchState> {
  const { pageKeeper } = await import('$lib/offline/pagekeeper');
  return pageKeeper.begin(match);
}

/**
 * Object that creates a match, and then opens the page of this match. While a request runs, no second match can start.
 */
export class Beginning extends RequestRunner {
  #once = new Once();

  /**
   * Begins a match on the server or, if `here` is true, an offline match in the page. If the server cannot be reached,
   * a match that needs no server begins in the page.
   */
  begin(match: NewMatch, here = false): Promise<unknown> {
    const { pathname } = location;
    return this.run(async () => {
      const { id } = await (here ? beginHere(match) : this.#begin(match));
      // If the player has gone to another page before the match was created, the page of the new match does not open.
      // The player finds the match in the list of matches.
      if (location.pathname === pathname) await goto(`/match/${id}`);
    });
  }

  async #begin(match: NewMatch): Promise<MatchState> {
    const request = (client_id: string) => createMatch({ ...match, client_id });
    const send = (pauses?: number[]) => this.#once.send(JSON.stringify(match), request, this.lost, pauses);
    if (!canPlayHere(match)) return send();
    try {
      return await send(navigator.onLine && hasOfflinePlay() ? SHORT : []);
    } catch (thrown) {
      if (asProblem(thrown).code !== 'offline') throw thrown;
      if (!hasOfflinePlay()) throw noEngine();
      return beginHere(match);
    }
  }
}
