// Stores the unconfirmed action of a match in the browser, so that a reload of the page keeps the action.

/** Action that the server has not confirmed yet. */
export interface Pending {
  /** Sequence number of the state in which the player acted. */
  sequence: number;
  action: string;
  /** Id of the action, by which the server carries a repeated action out only once. */
  client_id: string;
}

const key = (match: string) => `overmate.pending.${match}`;

/** Stores the pending action of a match in the browser; null removes the stored action. */
export function storePending(match: string, pending: Pending | null): void {
  try {
    if (pending) localStorage.setItem(key(match), JSON.stringify(pending));
    else localStorage.removeItem(key(match));
  } catch {
    // An error is ignored: without storage a pending action is lost when the page is closed.
  }
}

/** Returns the pending action of a match that the browser has stored, or null. */
export function storedPending(match: string): Pending | null {
  try {
    return JSON.parse(localStorage.getItem(key(match)) ?? 'null') as Pending | null;
  } catch {
    return null;
  }
}
