// Stores the number of the last chat message that the player has read in each match, so that the page counts the later
// messages.
import { fieldsOf, stored } from '$lib/storage';

/** Key in the browser's local storage under which the numbers of the last read chat messages are stored. */
const KEY = 'overmate.talk';

/**
 * Maximum number of matches for which the number of the last read chat message is stored. The match whose messages were
 * read least recently is removed first.
 */
const MOST = 100;

/**
 * Returns, for each match, the number of the last chat message that the viewer has read. The matches stand in the order
 * in which their chats were read.
 */
const storedNumbers = (): Record<string, unknown> => fieldsOf(stored(KEY));

/** Stores the number of the last read chat message of a match in the browser's storage. */
export function storeReadTalk(match: string, number: number): void {
  const others = Object.entries(storedNumbers()).filter(([other]) => other !== match);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others, [match, number]].slice(-MOST))));
  } catch {
    // An error of the storage is ignored. Without storage, a reloaded page counts all messages as unread.
  }
}

/** Returns the number of the last read chat message of a match; 0 if the player has read no message. */
export const storedReadTalk = (match: string): number => Number(storedNumbers()[match]) || 0;
