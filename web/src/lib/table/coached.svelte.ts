// Stores the topics that the coach has explained in this browser, and chooses the topic for the shown moment.
import { browser } from '$app/environment';
import { settings } from '$lib/settings.svelte';
import { isText, listOf, stored } from '$lib/storage';
import type { Topic } from './coach';

const KEY = 'overmate-coach';

const storedTopics = (): string[] => listOf(stored(KEY), isText);

/** Records in the browser's storage that the coach for new players has explained a topic of the rules. */
function remember(topic: Topic): void {
  try {
    // Another tab may have stored further topics that the coach has explained, and these topics must be kept.
    localStorage.setItem(KEY, JSON.stringify([...storedTopics().filter((other) => other !== topic), topic]));
  } catch {
    // An error of the browser's local storage is ignored. Without storage, each page explains the topics once.
  }
}

export class Coach {
  /** Topic that the coach currently explains, or null. */
  topic = $state.raw<Topic | null>(null);
  #moment = '';
  #seen: string[] = browser ? storedTopics() : [];

  /** Chooses the first topic of the rules that the coach for new players has not explained in this browser yet. */
  notice(moment: string, topics: Topic[]): void {
    if (moment === this.#moment) return;
    this.#moment = moment;
    // The coach for new players stores a topic of the rules as explained only when the page shows the next moment of
    // the game. A page that is loaded again before this moment explains the topic again.
    if (this.topic) remember(this.topic);
    const fresh = settings.coach ? topics.find((topic) => !this.#seen.includes(topic)) : undefined;
    this.topic = fresh ?? null;
    if (fresh) this.#seen.push(fresh);
  }
}
