// The links for watching that this browser has used, so that the address of a match leads back to watching.

const key = (match: string) => `overmate.watch.${match}`;

/** Stores the token of the spectators' link of a match in the browser. */
export function storeWatched(match: string, token: string): void {
  try {
    localStorage.setItem(key(match), token);
  } catch {
    // Without storage the link has to be opened again.
  }
}

/** Returns the stored token with which this browser has watched a match, or null. */
export function storedWatched(match: string): string | null {
  try {
    return localStorage.getItem(key(match));
  } catch {
    return null;
  }
}
