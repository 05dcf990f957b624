// Stores the spectators' links of this browser, so that the address of a match opens the spectators' view
// again.

const key = (match: string) => `overmate.watch.${match}`;

/** Stores the token of the spectators' link of a match in the browser. */
export function storeWatched(match: string, token: string): void {
  try {
    localStorage.setItem(key(match), token);
  } catch {
    // An error is ignored: without storage the spectator has to open the link again.
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
