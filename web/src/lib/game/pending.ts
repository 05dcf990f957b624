// Stores the unconfirmed action of a match in the browser, so that the action survives a reload of the page.

/** Sent action that the server has not confirmed yet. */
export interface Pending {
  /** Sequence number of the state in which the player chose the action. */
  sequence: number;
  action: string;
  /** Client id of the action. The server carries out an action with the same id only once. */
  client_id: string;
}

const key = (match: string) => `overmate.pending.${match}`;

/** Stores or removes the pending action of a match in the browser's storage. */
export function storePending(match: string, pending: Pending | null): void {
  try {
    if (pending) localStorage.setItem(key(match), JSON.stringify(pending));
    else localStorage.removeItem(key(match));
  } catch {
    // An error of the storage is ignored. Without storage, a pending action is lost when the page closes.
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
