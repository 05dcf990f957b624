// The action on its way to the server, kept in the browser's storage so that it outlives the page.

/** Action that the server has not confirmed yet. */
export interface Pending {
  /** Sequence number of the state in which the player acted. */
  sequence: number;
  action: string;
  /** Id of the action, by which the server carries a repeated action out only once. */
  client_id: string;
}

const key = (match: string) => `overmate.pending.${match}`;

/** Stores the pending action of a match; null removes it. */
export function storePending(match: string, pending: Pending | null): void {
  try {
    if (pending) localStorage.setItem(key(match), JSON.stringify(pending));
    else localStorage.removeItem(key(match));
  } catch {
    // Without storage a pending action is lost only when the page is closed.
  }
}

/** Returns the stored pending action of a match, or null. */
export function storedPending(match: string): Pending | null {
  try {
    return JSON.parse(localStorage.getItem(key(match)) ?? 'null') as Pending | null;
  } catch {
    return null;
  }
}
