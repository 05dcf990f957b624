// Asks the server whether this browser belongs to an account.
import { myAccount } from '$lib/api/api';
import type { MyAccount } from '$lib/api/types';
import { RequestRunner } from '$lib/ui/request.svelte';
import { hadAccount } from './known.svelte';

export class HasAccount {
  /** Whether this browser belongs to an account; null before the server's response. */
  known = $state<boolean | null>(null);
  /** Whether the account of this browser is a bot account; false before the server's response. */
  isBot = $state(false);
  /** Object that sends the request for the viewer's account, and holds the error of the last attempt. */
  readonly request = new RequestRunner();

  /**
   * Value that the browser's storage had at the server's last response; null before the first response. The value is
   * not reactive, so that an effect that calls `ask` does not run again after the response.
   */
  #stored: boolean | null = null;

  /**
   * Asks the server whether this browser belongs to an account, unless the answer is known or a request is running. An
   * effect that calls `ask` runs again after a sign-in or sign-out, also in another tab.
   */
  ask = (): void => {
    if (hadAccount() === this.#stored) return;
    void this.request.run(async () => {
      let account: MyAccount | null;
      let had: boolean;
      do {
        had = hadAccount();
        account = await myAccount();
        // A sign-in or sign-out in another tab during the request can make the response out of date.
      } while (hadAccount() !== had && hadAccount() !== (account !== null));
      [this.known, this.isBot] = [account !== null, account?.bot === true];
      this.#stored = hadAccount();
    });
  };
}
