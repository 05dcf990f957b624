// Watches the tournament events that this browser's player has joined, so that every page can announce the player's
// new matches. A browser learns of an event from the page of the event, or from the list of the player's matches.
import { browser } from '$app/environment';
import { readEvent } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import { serverNow } from '$lib/api/servertime';
import type { MatchSummary, SeenEvent } from '$lib/api/types';
import { eventOf } from '$lib/game/event';
import { repeatWhileVisible } from '$lib/net/pulse';
import { fieldsOf, isText, stored } from '$lib/storage';
import { untrack } from 'svelte';

/**
 * Pause in milliseconds between two polls of a tournament event. The player who leads has 90 seconds for the first
 * action.
 */
const PAUSE = 15_000;

/**
 * Time in milliseconds before the start of a tournament event from which the page requests the state of the event twice
 * as often.
 */
const EARLY = 60_000;

/** Key in the browser's local storage under which the joined tournament events are stored. */
const KEY = 'overmate.events';

/**
 * Ids of the unfinished tournament events that the viewer has joined, each with the id of the last match that the
 * viewer has opened in the event. The id of the match is null before the viewer has opened a match.
 */
type JoinedEvents = Record<string, string | null>;

const storedEvents = (): JoinedEvents =>
  Object.fromEntries(
    Object.entries(fieldsOf(stored(KEY))).flatMap(([id, opened]) =>
      opened === null || isText(opened) ? [[id, opened]] : []
    )
  );

export class OwnEvents {
  #joined = $state.raw<JoinedEvents>(browser ? storedEvents() : {});
  /** Latest state of each joined tournament event, by the id of the event. */
  #seen = $state.raw<Partial<Record<string, SeenEvent>>>({});

  constructor() {
    if (browser)
      addEventListener(
        'storage',
        ({ key }) => (key === KEY || key === null) && (this.#joined = storedEvents())
      );
  }

  /** Ids of the joined tournament events as one string, which changes only if the viewer joins or leaves an event. */
  ids = $derived(Object.keys(this.#joined).join(' '));

  /** Tournament events in which the viewer has a running match but has not opened the match. */
  begun = $derived(
    Object.entries(this.#joined).flatMap(([id, opened]) => {
      const seen = this.#seen[id];
      return seen?.you.match && seen.you.match !== opened ? [seen] : [];
    })
  );

  /** Polls the joined tournament events at intervals. Returns the function that stops the polls. */
  watch(): () => void {
    let polls = 0;
    const read = () => {
      // Every second poll also reads the tournament events that start more than a minute from now, because a host can
      // begin an event early.
      const isFull = polls++ % 2 === 0;
      for (const id of this.ids.split(' ')) if (isFull || !this.#startsLater(id)) void this.#read(id);
    };
    // The first poll of the joined tournament events is hidden from Svelte's tracking of dependencies. Otherwise an
    // effect that calls `watch` would run again after each poll, without a pause.
    untrack(read);
    return repeatWhileVisible(read, PAUSE);
  }

  /** Returns whether the start of a tournament event is too far in the future for frequent polls. */
  #startsLater(id: string): boolean {
    const event = this.#seen[id]?.shown.event;
    return event?.state === 'coming' && Date.parse(event.starts_at) - serverNow() > EARLY;
  }

  async #read(id: string): Promise<void> {
    try {
      this.note(await readEvent(id));
    } catch (thrown) {
      // A tournament event that the server does not find is removed from the joined events. After any other problem,
      // the next read asks for the event again.
      if (asProblem(thrown).code === 'not-found') this.#drop(id);
    }
  }

  /**
   * Stores a state of a tournament event. An event that is finished or no longer pairs the viewer is removed from the
   * joined events.
   */
  note(seen: SeenEvent): void {
    const { shown, you } = seen;
    const { id, state } = shown.event;
    if ((this.#seen[id]?.shown.version ?? 0) > shown.version) return;
    this.#seen = { ...this.#seen, [id]: seen };
    if (state === 'finished' || !(you.present || you.match)) {
      this.#drop(id);
    } else if (!(id in this.#joined)) {
      this.#keep({ ...this.#joined, [id]: null });
    }
  }

  /**
   * Adds the tournament events of the viewer's unfinished matches to the joined events. The viewer may have joined
   * these events in another browser.
   */
  follow(matches: Pick<MatchSummary, 'result' | 'shared_deal'>[]): void {
    const running = matches.flatMap((match) => (match.result ? [] : (eventOf(match) ?? [])));
    const added = running.filter((id) => !(id in this.#joined)).map((id) => [id, null]);
    if (added.length > 0) this.#keep({ ...this.#joined, ...Object.fromEntries(added) });
  }

  /** Records that the viewer has opened a match. */
  open(match: string): void {
    const seen = this.begun.find(({ you }) => you.match === match);
    if (seen) this.#keep({ ...this.#joined, [seen.shown.event.id]: match });
  }

  #drop(id: string): void {
    if (!(id in this.#joined)) return;
    this.#keep(Object.fromEntries(Object.entries(this.#joined).filter(([other]) => other !== id)));
  }

  #keep(joined: JoinedEvents): void {
    this.#joined = joined;
    try {
      localStorage.setItem(KEY, JSON.stringify(joined));
    } catch {
      // Without storage, the page remembers the joined tournament events only until the page closes.
    }
  }
}

export const ownEvents = new OwnEvents();
