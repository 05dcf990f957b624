// Stores which lessons this browser has finished.
import { browser } from '$app/environment';

const KEY = 'overmate-learn';

function stored(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const progress = $state<{ done: string[] }>({ done: browser ? stored() : [] });

/** Marks a lesson as finished. */
export function finish(id: string): void {
  if (progress.done.includes(id)) return;
  progress.done.push(id);
  try {
    // Another browser tab may have stored the ids of further finished lessons, which must be kept.
    localStorage.setItem(KEY, JSON.stringify([...stored().filter((other) => other !== id), id]));
  } catch {
    // An error of the browser's local storage is ignored. Without storage, the progress lasts as long as the page.
  }
}
