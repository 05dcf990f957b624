// The open offers: what the server tells over a WebSocket, or by polls while no WebSocket works.
import { browser } from '$app/environment';
import { readLobby, withdrawOffer } from '$lib/api/api';
import type { LobbyMessage, Offer, OwnOffer } from '$lib/api/types';
import { onWake, Pulse } from '$lib/net/pulse';
import { returnTime, SOCKET_TIMING as TIMING } from '$lib/net/socket';

/** Pauses in milliseconds before a reconnection; each failure takes the next one. */
const PAUSES = [500, 1000, 2000, 5000];

/** Key of the ids of own offers whose acceptance this browser has not shown yet. */
const KEY = 'overmate.offers';

function stored(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as string[];
  } catch {
    return [];
  }
}

export class LobbyWatch {
  /** Open offers as the server lists them, those of this browser among them; null before the first message. */
  offers = $state.raw<Offer[] | null>(null);
  /** Number of all open offers. */
  total = $state(0);
  /** Own offers, open and accepted. */
  own = $state.raw<OwnOffer[]>([]);
  /** Whether the list may be old, because the server cannot be reached. */
  offline = $state(false);
  /** Id of an own offer that is not open any more, although nobody here has withdrawn it; null if there is none. */
  ended = $state<string | null>(null);

  /** Ids of own offers whose acceptance is not shown yet. They also tell the next page to connect. */
  #waiting = $state.raw<string[]>(browser ? stored() : []);
  #socket: WebSocket | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #trial: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #watchers = 0;
  #unlisten = () => {};
  #pulse = new Pulse(
    TIMING,
    () => this.#socket,
    () => this.#connect()
  );
  /** Ids of own offers whose end the reader has asked for. */
  #expected: string[] = [];

  /** Own open offers. */
  open = $derived(this.own.filter((own) => !own.match));

  /** Own offers that were accepted since this browser has shown them as open. */
  accepted = $derived(this.own.filter((own) => own.match && this.#waiting.includes(own.offer.id)));

  /** Whether the page has to hear of own offers. */
  isWaiting = $derived(this.#waiting.length > 0);

  /** Connects to the server until the returned function is called. */
  watch(): () => void {
    this.#watchers += 1;
    if (this.#watchers === 1) {
      this.#connect();
      this.#pulse.start();
      const offline = () => (this.offline = true);
      this.#unlisten = onWake(() => this.#wake(), offline);
    }
    return () => {
      this.#watchers -= 1;
      if (this.#watchers > 0) return;
      clearTimeout(this.#retry);
      this.#pulse.stop();
      this.#unlisten();
      this.#discard();
    };
  }

  /** Shows an own offer at once, before the server tells of it. */
  add(own: OwnOffer): void {
    this.#hearOwn([...this.own.filter(({ offer }) => offer.id !== own.offer.id), own]);
    this.#expected = [];
    // The browser may have got its identity with the offer.
    if (this.#watchers > 0) this.#connect();
  }

  /** Notes that the reader sits down at a table, which ends the own offers that need their maker. */
  sit(): void {
    for (const { offer, lasting } of this.open) if (!lasting) this.#expected.push(offer.id);
  }

  /** Withdraws an own offer. Returns the id of the match if somebody has accepted the offer before. */
  async withdraw(id: string): Promise<string | null> {
    this.#expected.push(id);
    const match = await withdrawOffer(id);
    if (match) this.dismiss(id);
    else this.#remove(id);
    return match;
  }

  /** Removes an own offer that is withdrawn. */
  #remove(id: string): void {
    this.#hearOwn(this.own.filter(({ offer }) => offer.id !== id));
    if (this.offers?.some((offer) => offer.id === id)) this.total -= 1;
    this.offers = this.offers?.filter((offer) => offer.id !== id) ?? null;
  }

  /** Notes that the reader knows of the acceptance of an offer. */
  dismiss(id: string): void {
    this.#keep(this.#waiting.filter((known) => known !== id));
  }

  #connect(): void {
    clearTimeout(this.#retry);
    this.#discard();
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/api/v1/lobby/live`);
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      clearTimeout(this.#trial);
      this.#pulse.hear();
      this.#failures = 0;
      this.offline = false;
      const message = JSON.parse(String(data)) as LobbyMessage;
      if (message.t === 'offers') this.#hear(message.offers, message.total);
      else if (message.t === 'own') this.#told(message.own);
    };
    socket.onopen = () => this.#pulse.hear();
    socket.onclose = ({ code, reason }) => this.#lost(returnTime(code, reason));
    // A network may deliver nothing over a WebSocket for minutes.
    this.#trial = setTimeout(() => this.#lost(null), TIMING.trial);
  }

  /** Connects again after a pause. `chosen` is the pause in milliseconds that a stopping server asked for. */
  #lost(chosen: number | null): void {
    this.#discard();
    this.#failures += 1;
    if (this.#failures > 1) void this.#poll();
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length) - 1] ?? 0;
    const own = pause * (0.7 + Math.random() * 0.6);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), (chosen ?? 0) + own);
  }

  /** Checks the connection after sleep or a change of network. */
  #wake(): void {
    if (document.visibilityState === 'hidden') return;
    if (this.#socket) this.#pulse.wake();
    else this.#connect();
  }

  async #poll(): Promise<void> {
    try {
      const { offers, total, own } = await readLobby();
      this.#told(own);
      this.#hear(offers, total);
      this.offline = false;
    } catch {
      this.offline = true;
    }
  }

  #hear(offers: Offer[], total: number): void {
    this.offers = offers;
    this.total = total;
  }

  /** Notes the own offers that the server knows. An offer that it does not know any more has ended. */
  #told(own: OwnOffer[]): void {
    const known = (id: string) => own.some(({ offer }) => offer.id === id);
    const was = (id: string) => this.own.find(({ offer }) => offer.id === id);
    if (this.ended && known(this.ended)) this.ended = null;
    const ended = this.#waiting.find((id) => !known(id) && !this.#expected.includes(id) && !was(id)?.match);
    if (ended) this.ended = ended;
    this.#hearOwn(own);
  }

  #hearOwn(own: OwnOffer[]): void {
    this.own = own;
    const before = this.#waiting.filter((id) => own.some(({ offer }) => offer.id === id));
    const open = own.filter(({ offer, match }) => !match && !before.includes(offer.id));
    this.#keep([...before, ...open.map(({ offer }) => offer.id)]);
  }

  #keep(waiting: string[]): void {
    if (waiting.join() === this.#waiting.join()) return;
    this.#waiting = waiting;
    try {
      localStorage.setItem(KEY, JSON.stringify(waiting));
    } catch {
      // Without storage the next page does not know of the offers until it shows them.
    }
  }

  #discard(): void {
    clearTimeout(this.#trial);
    if (!this.#socket) return;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }
}

export const lobby = new LobbyWatch();
