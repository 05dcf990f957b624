// Reads the secret token from a page URL that a person has opened by a link in an e-mail.
import { replaceState } from '$app/navigation';
import { onMount } from 'svelte';

/**
 * Secret token in the fragment of a page URL (behind the `#`). A further link that is opened in the same tab replaces
 * the token.
 */
export class LinkToken {
  /** Secret token in the page URL; empty on a page without a token, and null before the page has read its URL. */
  value = $state<string | null>(null);
  readonly #path: '/recover' | '/confirm-address';
  readonly #onfound: () => void;

  /**
   * Reads the secret token from the URL fragment as soon as the page is mounted, and again after each change of the
   * fragment. Must be called while the component of the page is created. `onfound` runs when a link with a token was
   * opened.
   */
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

  /**
   * Reads the secret token and removes it from the page URL. The part of the URL behind the `#` reaches no request
   * and no log of a proxy.
   */
  #read(): void {
    const found = secretInUrl();
    if (found) {
      this.#onfound();
      // The page removes the secret token from its URL only after SvelteKit's router has started. Before its start, the
      // router refuses to replace the URL. The router starts after the first page is mounted.
      setTimeout(() => replaceState(this.#path, {}));
    }
    this.value = found || this.value || '';
  }
}

/**
 * Returns the secret behind the `#` of the page's URL, or an empty text without a secret. The name of an element, such
 * as that of the link that skips to the content of the page, is no secret.
 */
export function secretInUrl(): string {
  const found = location.hash.slice(1, 65);
  return document.getElementById(found) ? '' : found;
}
