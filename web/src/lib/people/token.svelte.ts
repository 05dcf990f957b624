// Reads the secret tokens of links in e-mails.
import { replaceState } from '$app/navigation';
import { onMount } from 'svelte';

/** Token behind the `#` in the address of a page. A further link that is opened in the same tab replaces the token. */
export class LinkToken {
  /** The token; empty on a page without one, and null before the page has read its address. */
  value = $state<string | null>(null);
  readonly #path: '/recover' | '/confirm-address';
  readonly #onfound: () => void;

  /** Must be created while the component of the page is created. `onfound` runs when a link with a token was opened. */
  constructor(path: '/recover' | '/confirm-address', onfound: () => void) {
    this.#path = path;
    this.#onfound = onfound;
    onMount(() => {
      const read = () => this.#read();
      addEventListener('hashchange', read);
      read();
      return () => removeEventListener('hashchange', read);
    });
  }

  /** Takes the token out of the address of the page. No request and no log of a proxy contains that part. */
  #read(): void {
    const found = location.hash.slice(1, 65);
    if (found) {
      this.#onfound();
      // The router starts after the first page is mounted. Before, the router refuses to replace the address.
      setTimeout(() => replaceState(this.#path, {}));
    }
    this.value = found || this.value || '';
  }
}
