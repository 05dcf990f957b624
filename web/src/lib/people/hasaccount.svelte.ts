// Asks the server whether this browser belongs to an account.
import { myAccount } from '$lib/api/api';

export class HasAccount {
  /** Whether this browser belongs to an account; null before the server's response. */
  known = $state<boolean | null>(null);
  /** Whether the account of this browser is a bot account; false before the server's response. */
  isBot = $state(false);
  #asked = false;

  /**
   * Asks the server whether this browser belongs to an account, unless the answer is known or a request is running.
   */
  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    myAccount().then(
      (account) => ([this.known, this.isBot] = [account !== null, account?.bot === true]),
      () => (this.#asked = false)
    );
  }
}
