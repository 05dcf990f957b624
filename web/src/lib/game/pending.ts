// Stores the unconfirmed action of a match in the browser, so that the action survives a reload of the page.
import { fieldsOf, isText, stored } from '$lib/storage';

/** Action that was sent to the server and is not confirmed yet. */
export interface Pending {
  /** Sequence number of the match state in which the player chose the action. */
  sequence: number;
  action: string;
  /**
   * Idempotency key that the page has chosen for the action. The server executes an action with a given key only once.
   */
  client_id: string;
}

const key = (match: string) => `overmate.pending.${match}`;

/** Stores the pending action of a match in the browser's storage. With null, removes the stored action. */
export function storePending(match: string, pending: Pending | null): void {
  try {
    if (pending) localStorage.setItem(key(match), JSON.stringify(pending));
    else localStorage.removeItem(key(match));
  } catch {
    // An error of the browser's local storage is ignored. Without storage, a pending action is lost when the page
    // closes.
  }
}

/** Returns the stored pending action of a match, or null without such an action. */
export function storedPending(match: string): Pending | null {
  const { sequence, action, client_id } = fieldsOf(stored(key(match)));
  return typeof sequence === 'number' && isText(action) && isText(client_id)
    ? { sequence, action, client_id }
    : null;
}
