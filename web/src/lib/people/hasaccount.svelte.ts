// Asks the server whether this browser belongs to an account.
import { myAccount } from '$lib/api/api';

export class HasAccount {
  /** Whether this browser belongs to an account; null before the server's answer. */
  known = $state<boolean | null>(null);
  #asked = false;

  /**
   * Asks the server whether this browser belongs to an account, unless the answer is known or a request is running.
   */
  ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    myAccount().then(
      (account) => (this.known = account !== null),
      () => (this.#asked = false)
    );
  }
}
