// Holds the open offers, which the server reports over a WebSocket, or by polls while no WebSocket works.
import { browser } from '$app/environment';
import { declineChallenge, readLobby, readMatch, withdrawOffer } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { LobbyMessage, Offer, OwnOffer } from '$lib/api/types';
import { hadAccount } from '$lib/people/known.svelte';
import { onWake, repeatWhileVisible } from '$lib/net/pulse';
import { Reconnecting, SOCKET_TIMING, type SocketTiming } from '$lib/net/socket';
import { onKnown, readKnown, writeKnown } from './known';

/** Time settings for watching the open offers, in milliseconds. */
export interface LobbyTiming extends SocketTiming {
  /**
   * Pause, in milliseconds, between two polls for the viewer's offers on a page that opens no WebSocket for offers.
   * Outside the lobby, a page opens the WebSocket only while an open offer requires its maker's presence.
   */
  slow: number;
  /**
   * Grace period after the creation of an offer, in milliseconds, in which a received list of offers may predate the
   * creation.
   */
  grace: number;
}

const TIMING: LobbyTiming = { ...SOCKET_TIMING, slow: 60_000, grace: 4000 };

export class LobbyWatch {
  /**
   * Open offers that the server lists, including those of this browser; null while no part of the page watches the
   * offers.
   */
  offers = $state.raw<Offer[] | null>(null);
  /** Total number of open offers, including offers that the server does not list. */
  total = $state(0);
  /** Challenges of other players to the viewer. */
  challenges = $state.raw<Offer[]>([]);
  /** Open, accepted and declined offers of this browser. */
  own = $state.raw<OwnOffer[]>([]);
  /** Whether the list of offers may be outdated, because the server is unreachable. */
  offline = $state(false);
  /** Id of an offer of this browser that has ended without a withdrawal by the viewer, or null. */
  ended = $state<string | null>(null);

  /**
   * Ids of this browser's offers whose acceptance has not been shown yet. As long as there are such offers, the next
   * page also connects to the server.
   */
  #waiting = $state.raw<string[]>(browser ? readKnown().waiting : []);
  /**
   * Ids of this browser's offers that the viewer has asked to withdraw or has dismissed, and of offers that ended when
   * the viewer took a seat in a live match. The page does not announce the end of these offers. An accepted offer also counts as dismissed when the page
   * of its match is open, or after the match has ended.
   */
  #expected: string[] = browser ? readKnown().expected : [];
  /** Ids of this browser's offers whose end this tab has announced. */
  #told: string[] = [];
  /** Ids of the offers that this tab is withdrawing, until the server responds. The page still shows these offers. */
  #asked: string[] = [];
  /** Creation times of the offers that this tab has made, by the ids of the offers, in milliseconds since 1970. */
  #made: Partial<Record<string, number>> = {};
  /** Number of running requests by which this tab tries to get a seat in a match. */
  #sitting = 0;
  /**
   * Ids of this browser's offers that ended while this tab was requesting a seat in a match. The request may be the
   * cause of their end.
   */
  #held: string[] = [];
  /**
   * Number of offer changes that this tab has made, or that the server has reported over the WebSocket. A response to a
   * poll is out of date if a change happened after the poll began.
   */
  #changes = 0;
  /** Offers of this browser in the server's latest message; null after a newer change in this tab. */
  #latest: OwnOffer[] | null = null;
  #watchers = 0;
  #unlisten = () => {};
  #socket: Reconnecting;

  constructor(private readonly timing: LobbyTiming = TIMING) {
    this.#socket = new Reconnecting(timing, {
      url: () => `${location.origin.replace('http', 'ws')}/api/v1/lobby/live`,
      onmessage: (text) => this.#message(JSON.parse(text) as LobbyMessage),
      onfail: () => void this.#poll()
    });
    if (browser) onKnown((known) => this.#share(known));
  }

  /** Offers of this browser that are neither accepted nor declined. */
  open = $derived(this.own.filter((own) => !own.match && !own.declined));

  /**
   * Challenges of this browser that their addressees have declined. Challenges that the viewer has dismissed are
   * excluded.
   */
  declined = $derived(this.own.filter((own) => own.declined));

  /** Accepted offers of this browser whose acceptance has not been shown yet. */
  accepted = $derived(this.own.filter((own) => own.match && this.#waiting.includes(own.offer.id)));

  /**
   * Way in which a page outside the lobby watches the viewer's offers: over a connection (`live`), by polls (`slow`),
   * or not at all (`nothing`). A connection is needed while an open offer requires its maker's presence. Polls are
   * enough for all other offers, and for challenges to a viewer with an account.
   */
  needs = $derived.by((): 'live' | 'slow' | 'nothing' => {
    const known = (id: string) => this.own.find(({ offer }) => offer.id === id);
    const waits = this.#waiting.filter((id) => !known(id)?.match && !known(id)?.declined);
    if (waits.some((id) => !known(id)?.lasting)) return 'live';
    return waits.length > 0 || hadAccount() ? 'slow' : 'nothing';
  });

  /** Watches the open offers over a connection to the server. Returns the function that stops the watch. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) {
      this.offline = false;
      this.#socket.start();
      const offline = () => (this.offline = true);
      this.#unlisten = onWake(() => this.#wake(), offline);
    }
    return () => {
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      this.#unlisten();
      this.#socket.stop();
      // When no part of the page watches the list of open offers any more, the list is removed. A page that opens later
      // must not show an outdated list.
      this.offers = null;
    };
  }

  /** Polls the server for this browser's offers at long intervals. Returns the function that stops the polls. */
  watchSlowly(): () => void {
    const poll = () => void this.#poll();
    if (hadAccount() && document.visibilityState === 'visible') poll();
    return repeatWhileVisible(poll, this.timing.slow);
  }

  /** Shows a new offer of this browser immediately, before the server reports the offer. */
  add(own: OwnOffer): void {
    this.#changes += 1;
    this.ended = null;
    this.#made[own.offer.id] = Date.now();
    this.#latest = null;
    this.#hearOwn([...this.own.filter(({ offer }) => offer.id !== own.offer.id), own]);
    // After making an offer, the page opens a new connection that sends this browser's identity cookie to the server.
    // The server may have set the cookie in its response to the offer, and an existing connection does not send the new
    // cookie.
    if (this.#watchers > 0) this.#socket.reconnect();
  }

  /**
   * Sends a request that may give the viewer a seat in a live match, such as the acceptance of an offer. A seat in a
   * live match ends this browser's offers that need the viewer's presence. The page announces the end of an offer
   * only if the request has not caused that end.
   */
  async sit<Answer>(request: () => Promise<Answer>, seats: (answer: Answer) => boolean): Promise<Answer> {
    this.#sitting += 1;
    try {
      const answer = await request();
      if (seats(answer)) {
        const live = this.open.flatMap(({ offer, lasting }) => (lasting ? [] : offer.id));
        this.#expect([...live, ...this.#held]);
        this.#hide();
      }
      return answer;
    } finally {
      this.#sitting -= 1;
      if (this.#sitting === 0) {
        const held = this.#held;
        this.#held = [];
        this.#tell(held.filter((id) => !this.#expected.includes(id)));
      }
    }
  }

  /**
   * Withdraws an offer of this browser. Returns the id of the match if another player has already accepted the offer.
   */
  async withdraw(id: string): Promise<string | null> {
    this.#asked.push(id);
    this.#expect([id]);
    try {
      return await withdrawOffer(id);
    } catch (thrown) {
      // After a failed withdrawal, the offer may still be open. Its end then counts as unexpected again.
      this.#expected = this.#expected.filter((known) => known !== id);
      this.#keep([...this.#waiting, id]);
      throw thrown;
    } finally {
      this.#asked = this.#asked.filter((known) => known !== id);
      this.#changes += 1;
      this.#hide();
    }
  }

  /** Hides the offers that the viewer has ended. */
  #hide(): void {
    this.own = this.own.filter((own) => this.#isShown(own));
    if (this.offers) this.#hear(this.offers, this.total);
  }

  /**
   * Returns whether the page still lists an offer of this browser. The page lists accepted offers, and offers that the
   * viewer has not ended.
   */
  #isShown({ offer, match }: OwnOffer): boolean {
    return Boolean(match) || !this.#isOver(offer.id);
  }

  /**
   * Returns whether the viewer has withdrawn or dismissed an offer of this browser, or has ended it by a seat in a live
   * match. A message from before the end may still list the offer.
   */
  #isOver(id: string): boolean {
    return this.#expected.includes(id) && !this.#asked.includes(id);
  }

  /** Stops showing the acceptance or refusal of an offer of this browser. */
  dismiss(id: string): void {
    this.#expect([id]);
    this.#hide();
  }

  /**
   * Stops showing the acceptance of an offer after the offered match has ended or has been removed. Reads the match at
   * long intervals. Returns the function that stops the reads.
   */
  dismissAtEnd(id: string, match: string): () => void {
    const read = () =>
      void readMatch(match, null).then(
        ({ result }) => result && this.dismiss(id),
        // If the accepted match no longer exists or is hidden from the viewer, the page stops showing the offer's
        // acceptance. After any other problem, the next read asks for the match again.
        (thrown: unknown) => asProblem(thrown).hidden && this.dismiss(id)
      );
    read();
    return repeatWhileVisible(read, this.timing.slow);
  }

  /** Declines another player's challenge to the viewer. */
  async decline(id: string): Promise<void> {
    await declineChallenge(id);
    this.dropChallenge(id);
  }

  /** Removes an answered challenge immediately, before the server reports the end of the challenge. */
  dropChallenge(id: string): void {
    this.#changes += 1;
    this.challenges = this.challenges.filter((challenge) => challenge.id !== id);
  }

  #message(message: LobbyMessage): void {
    this.#socket.prove();
    this.#changes += 1;
    this.offline = false;
    if (message.t === 'offers') this.#hear(message.offers, message.total);
    else if (message.t === 'own') this.#learn(message.own);
    else if (message.t === 'challenges') this.challenges = message.challenges;
  }

  /** Checks the connection to the server after the device was asleep or has changed its network. */
  #wake(): void {
    if (document.visibilityState !== 'hidden') this.#socket.wake();
  }

  async #poll(): Promise<void> {
    const changes = this.#changes;
    try {
      const { offers, total, own, challenges } = await readLobby();
      this.offline = false;
      if (changes !== this.#changes) return;
      this.challenges = challenges;
      this.#learn(own);
      if (this.#watchers > 0) this.#hear(offers, total);
    } catch {
      this.offline = true;
    }
  }

  #hear(offers: Offer[], total: number): void {
    this.offers = offers.filter(({ id }) => !this.#isOver(id));
    this.total = total - (offers.length - this.offers.length);
  }

  /**
   * Updates this browser's offers from the server's list, and announces the end of offers that are missing from the
   * list. A very new offer does not count as missing.
   */
  #learn(own: OwnOffer[]): void {
    const knows = (id: string) => own.some(({ offer }) => offer.id === id);
    const was = (id: string) => this.own.find(({ offer }) => offer.id === id);
    this.#latest = own;
    const young = this.own.filter(({ offer }) => !knows(offer.id) && this.#isYoung(offer.id));
    if (young.length > 0) this.#learnAgain(own);
    if (this.ended && knows(this.ended)) this.ended = null;
    // When an offer that needs the viewer's presence is accepted, all other such offers of the viewer end.
    const seated = own.some(({ offer, match, lasting }) => match && !lasting && !was(offer.id)?.match);
    const ended = this.#waiting.filter(
      (id) =>
        !knows(id) &&
        !was(id)?.match &&
        !young.some(({ offer }) => offer.id === id) &&
        !(seated && !was(id)?.lasting)
    );
    if (this.#sitting > 0) this.#held.push(...ended);
    else this.#tell(ended);
    this.#hearOwn([...own, ...young]);
  }

  /**
   * Returns whether an offer of this browser is so new that a list of offers from the server may still lack the
   * offer.
   */
  #isYoung(id: string): boolean {
    const made = this.#made[id];
    return made !== undefined && Date.now() - made < this.timing.grace && !this.#expected.includes(id);
  }

  /**
   * Schedules a second comparison of this browser's offers with the list that the server has just sent, which may lack
   * a new offer. If no newer list has arrived by then, the missing offers count as ended.
   */
  #learnAgain(own: OwnOffer[]): void {
    setTimeout(() => this.#latest === own && this.#learn(own), this.timing.grace);
  }

  /** Announces to the viewer that offers of this browser have ended. */
  #tell(ended: string[]): void {
    const [first] = ended;
    if (first === undefined) return;
    this.ended = first;
    this.#told.push(...ended);
  }

  #hearOwn(own: OwnOffer[]): void {
    this.own = own.filter((own) => this.#isShown(own));
    const before = this.#waiting.filter((id) => this.own.some(({ offer }) => offer.id === id));
    const open = this.own.flatMap(({ offer, match }) => (match || before.includes(offer.id) ? [] : offer.id));
    this.#keep([...before, ...open.filter((id) => !this.#expected.includes(id))]);
  }

  /** Records, for all tabs, that the viewer knows of the end or the acceptance of some offers. */
  #expect(ids: string[]): void {
    this.#expected = [...this.#expected.filter((id) => !ids.includes(id)), ...ids];
    if (this.ended && ids.includes(this.ended)) this.ended = null;
    this.#keep(
      this.#waiting.filter((id) => !ids.includes(id)),
      true
    );
  }

  #keep(waiting: string[], anyway = false): void {
    if (!anyway && waiting.join() === this.#waiting.join()) return;
    this.#waiting = waiting;
    writeKnown({ waiting, expected: this.#expected });
  }

  /** Updates this tab's lists of offer ids from the lists that another tab has stored. */
  #share({ waiting, expected }: { waiting: string[]; expected: string[] }): void {
    this.#expected = expected;
    if (this.ended && expected.includes(this.ended)) this.ended = null;
    const more = waiting.filter((id) => !this.#waiting.includes(id) && !this.#told.includes(id));
    // This tab keeps the id of an ended offer until this tab has announced the end to the viewer, even if another tab
    // has already done so.
    this.#waiting = [...this.#waiting, ...more].filter((id) => !expected.includes(id));
    // This tab hides ended offers without waiting for the server's next list. The server may send no further list if no
    // offer is left that needs its maker's presence.
    this.#hide();
  }
}

export const lobby = new LobbyWatch();
