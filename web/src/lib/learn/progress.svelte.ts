// Stores which lessons this browser has finished.
import { browser } from '$app/environment';
import { isText, listOf, stored } from '$lib/storage';

const KEY = 'overmate-learn';

const storedIds = (): string[] => listOf(stored(KEY), isText);

export const progress = $state<{ done: string[] }>({ done: browser ? storedIds() : [] });

/** Marks a lesson as finished. */
export function finish(id: string): void {
  if (progress.done.includes(id)) return;
  progress.done.push(id);
  try {
    // Another browser tab may have stored the ids of further finished lessons, which must be kept.
    localStorage.setItem(KEY, JSON.stringify([...storedIds().filter((other) => other !== id), id]));
  } catch {
    // An error of the browser's local storage is ignored. Without storage, the progress lasts as long as the page.
  }
}
