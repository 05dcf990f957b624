// Stores the number of the last chat message that the player has read in a match, so that the page counts the later
// messages.

const key = (match: string) => `overmate.talk.${match}`;

/** Stores the number of the last read chat message of a match in the browser's storage. */
export function storeReadTalk(match: string, number: number): void {
  try {
    localStorage.setItem(key(match), String(number));
  } catch {
    // An error of the storage is ignored. Without storage, a reloaded page counts all messages as unread.
  }
}

/** Returns the number of the last read chat message of a match; 0 if the player has read no message. */
export function storedReadTalk(match: string): number {
  try {
    return Number(localStorage.getItem(key(match)) ?? 0);
  } catch {
    return 0;
  }
}
