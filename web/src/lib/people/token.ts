// Reads the secret token of a link in an e-mail.
import { replaceState } from '$app/navigation';

/**
 * Returns the token behind the `#` in the address of a page, and removes the token from the address. No request and no
 * log of a proxy contains that part.
 */
export function takeToken(path: '/recover' | '/confirm-address'): string {
  const token = location.hash.slice(1, 65);
  // The token is removed later, because the router starts after the first page is mounted. Before, the router refuses to replace the address.
  if (token) setTimeout(() => replaceState(path, {}));
  return token;
}
