// Holds the list of public matches, and refreshes the list while the page is visible.
import { peopleHere, publicMatches } from '$lib/api/api';
import { asProblem, type Problem } from '$lib/api/problem';
import type { PeopleHere, PublicMatch, PublicMatches } from '$lib/api/types';

/** Pause between two polls of the list of public matches, in milliseconds. */
const LIST_PAUSE = 4_000;

/** Number of polls of the match list per request for the number of people online. */
const PEOPLE_EVERY = 5;

export interface Wanted {
  rules: string | null;
  state: 'running' | 'finished';
}

export class PublicList {
  /** Matches of the first page of the list, which is refreshed regularly; null before the first read. */
  #first = $state.raw<PublicMatch[] | null>(null);
  /** Public matches that the list of matches shows after its first page, at the viewer's request. */
  #older = $state.raw<PublicMatch[]>([]);
  /** Number of pages of the list of public matches that the viewer has requested in addition to the first page. */
  #further = 0;
  /** Cursor with which the server returns the next page of the list; null after the last page. */
  next = $state<string | null>(null);
  people = $state.raw<PeopleHere | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Whether a request for older matches is running. */
  busy = $state(false);

  /** All public matches that the page has read, or null before the first read. */
  matches = $derived.by(() => {
    const first = this.#first;
    if (!first) return null;
    return [...first, ...this.#older.filter(({ id }) => !first.some((other) => other.id === id))];
  });

  constructor(private readonly wanted: Wanted) {}

  #query(after?: string) {
    const { rules, state } = this.wanted;
    return { state, ...(rules && { rules }), ...(after && { after }) };
  }

  /**
   * Reads the first page of the list of public matches. Reads the further pages only of running matches, whose scores
   * change and which leave the list at their end.
   */
  async #refresh(hasEnded: () => boolean): Promise<void> {
    const isRunning = this.wanted.state === 'running';
    const { matches, ...first } = await publicMatches(this.#query());
    let { next } = first;
    const older: PublicMatch[] = [];
    for (let pages = 0; isRunning && next && pages < this.#further && !hasEnded(); pages += 1) {
      const page: PublicMatches = await publicMatches(this.#query(next));
      older.push(...page.matches);
      next = page.next;
    }
    if (hasEnded()) return;
    // All pages of the list of public matches are replaced at the same time, so that the list does not jump.
    this.#first = matches;
    if (isRunning) this.#older = older;
    if (isRunning || this.#further === 0) this.next = next;
  }

  /** Polls the list of public matches. Returns the function that stops the polls. A hidden page sends no requests. */
  watch(): () => void {
    let ended = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reads = 0;
    const read = async () => {
      // The variable `timer` is undefined while the page reads the list of public matches, so that the function `shown`
      // does not read the list again.
      timer = undefined;
      if (document.visibilityState === 'visible') {
        try {
          await this.#refresh(() => ended);
          if (ended) return;
          if (reads++ % PEOPLE_EVERY === 0) this.people = await peopleHere();
          this.problem = null;
        } catch (thrown) {
          if (!ended) this.problem = asProblem(thrown);
        }
      }
      if (!ended) timer = setTimeout(() => void read(), LIST_PAUSE);
    };
    const shown = () => {
      if (document.visibilityState !== 'visible' || !timer) return;
      clearTimeout(timer);
      void read();
    };
    document.addEventListener('visibilitychange', shown);
    void read();
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', shown);
    };
  }

  /** Reads the next page of older public matches. */
  async more(): Promise<void> {
    const after = this.next;
    if (this.busy || !after) return;
    this.busy = true;
    try {
      const { matches, next } = await publicMatches(this.#query(after));
      // The list of public matches keeps its finished matches when newer matches push them off the first page.
      const kept = this.wanted.state === 'finished' ? (this.#first ?? []) : [];
      this.#older = [...this.#older, ...kept, ...matches].filter(
        ({ id }, at, all) => all.findIndex((other) => other.id === id) === at
      );
      this.#further += 1;
      this.next = next;
      this.problem = null;
    } catch (thrown) {
      this.problem = asProblem(thrown);
    } finally {
      this.busy = false;
    }
  }
}
