// Reads the ratings of this browser's player and the estimate of the player's strength level from the server.
import { myAccount, myProgress, profileOf } from '$lib/api/api';
import type { PlayerRating } from '$lib/api/types';
import { ratedLevel, type Strength } from './strength';

export class OwnStrength implements Strength {
  ratings = $state.raw<PlayerRating[]>([]);
  estimate = $state<number | null>(null);
  #ratings: Promise<void> | null = null;
  #estimate: Promise<void> | null = null;

  /**
   * Loads the player's ratings from the server, unless the ratings are loaded or loading. Loads the estimate of the
   * player's level only if no rating tells the level in a rule set, because the server may have to analyse matches
   * for the estimate. Without a response of the server, the strength remains unknown.
   */
  async ask(rules: string): Promise<void> {
    await (this.#ratings ??= this.#readRatings());
    if (ratedLevel(rules, this.ratings) === null) await (this.#estimate ??= this.#readEstimate());
  }

  async #readRatings(): Promise<void> {
    try {
      const account = await myAccount();
      if (account) this.ratings = (await profileOf(account.handle)).ratings;
    } catch {
      this.#ratings = null;
    }
  }

  async #readEstimate(): Promise<void> {
    try {
      this.estimate = (await myProgress()).like_level?.level ?? null;
    } catch {
      this.#estimate = null;
    }
  }
}
