// Stores the game that the viewer of a match has reached, so that a page that is loaded again still shows the end of a
// game until the viewer goes on to the next game.

/** Key in the storage of the browser tab, under which the id of the shown match and the index of the game stand. */
const KEY = 'overmate.reached';

/** Stores the index of the latest game of a match that this tab has shown while it followed the match. */
export function storeReached(match: string, game: number): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ match, game }));
  } catch {
    // An error of the storage is ignored. Without storage, a reloaded page shows the current game.
  }
}

/**
 * Returns the index of the latest game of a match that this tab has shown; null if the tab has stored no game of this
 * match, or a game of another match since then.
 */
export function storedReached(match: string): number | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { match?: string; game?: number };
    return stored.match === match ? (stored.game ?? null) : null;
  } catch {
    return null;
  }
}
