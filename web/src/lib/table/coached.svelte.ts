// Stores the explained topics of this browser, and chooses the topic for the present moment.
import { browser } from '$app/environment';
import { settings } from '$lib/settings.svelte';
import type { Topic } from './coach';

const KEY = 'overmate-coach';

function stored(): string[] {
  try {
    const topics: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
  } catch {
    return [];
  }
}

export class Coach {
  /** Topic that is explained in the present moment; null without a new topic. */
  topic = $state.raw<Topic | null>(null);
  #moment = '';
  #seen: string[] = browser ? stored() : [];

  /** Explains the first topic of a moment that this browser has not seen. */
  notice(moment: string, topics: Topic[]): void {
    if (moment === this.#moment) return;
    this.#moment = moment;
    const fresh = settings.coach ? topics.find((topic) => !this.#seen.includes(topic)) : undefined;
    this.topic = fresh ?? null;
    if (!fresh) return;
    this.#seen.push(fresh);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#seen));
    } catch {
      // An error is ignored: without storage each page explains the topics once.
    }
  }
}
