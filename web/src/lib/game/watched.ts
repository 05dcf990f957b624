// Stores the spectator links that this browser has opened. The address of a match then opens the spectators'
// view again.

const key = (match: string) => `overmate.watch.${match}`;

/** Stores the spectator token of a match in the browser's storage. */
export function storeWatched(match: string, token: string): void {
  try {
    localStorage.setItem(key(match), token);
  } catch {
    // An error of the browser's local storage is ignored. Without storage, the spectator must open the link again.
  }
}

/** Returns the stored spectator token of a match, or null. */
export function storedWatched(match: string): string | null {
  try {
    return localStorage.getItem(key(match));
  } catch {
    return null;
  }
}
