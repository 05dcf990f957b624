// Connects a match to the server by a WebSocket, or by long polls while no WebSocket works.
import { readMatch } from '$lib/api/api';
import { asProblem, problemIn, type Problem } from '$lib/api/problem';
import type { ClientMessage, MatchState, Phrase, Player, Presences, ServerMessage } from '$lib/api/types';
import { Pulse, type PulseTiming } from './pulse';

/** Way in which the page currently receives changes from the server. */
export type Link = 'connecting' | 'live' | 'polling' | 'offline';

/** Times of the connection. The unit is milliseconds, unless the name says seconds. */
export interface Timing extends PulseTiming {
  /** Pause before the page repeats an unanswered action. */
  resend: number;
  /** Time limit for the first state over a new WebSocket. At the limit the page closes the WebSocket. */
  trial: number;
  /** Pause before the first reconnection; each failure doubles the pause, up to `longestPause`. */
  pause: number;
  longestPause: number;
  /** Duration of one long poll, in seconds. */
  waitSeconds: number;
  /** Pause after a failed poll, and after a poll without a change. */
  pollPause: number;
  pollRetry: number;
}

export const TIMING: Timing = {
  resend: 2500,
  ping: 20_000,
  silence: 45_000,
  trial: 5000,
  wake: 3000,
  pause: 300,
  longestPause: 8000,
  waitSeconds: 20,
  pollPause: 500,
  pollRetry: 2000
};

/** Receiver of states, acknowledgements and problems from the server. */
export interface Listener {
  /** Returns the sequence number of the receiver's latest state, or null without a state. */
  sequence: () => number | null;
  onlink: (link: Link) => void;
  onstate: (state: MatchState) => void;
  /**
   * Callback after the first state over a new WebSocket. Messages over the previous WebSocket may be lost.
   */
  onopen: () => void;
  onack: (clientId: string, sequence: number) => void;
  /**
   * Callback for a problem with the action of this id. If the id is null, the problem concerns the
   * connection.
   */
  onproblem: (problem: Problem, clientId: string | null) => void;
  onpresence: (players: Presences) => void;
  onsaid: (player: Player, phrase: Phrase) => void;
}

export class Connection {
  #socket: WebSocket | null = null;
  /** Timer until the first state arrives over the WebSocket. */
  #trial: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pulse: Pulse;
  #polling: AbortController | null = null;
  #link: Link = 'connecting';
  /** Number of failed WebSockets since a WebSocket last delivered a state. */
  #failures = 0;
  #stopped = false;

  constructor(
    private readonly id: string,
    private readonly watch: string | null,
    private readonly timing: Timing,
    private readonly listener: Listener
  ) {
    this.#pulse = new Pulse(
      timing,
      () => this.#socket,
      (socket) => this.#replace(socket)
    );
  }

  start(): void {
    this.#pulse.start();
    this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    this.#pulse.stop();
    for (const timer of [this.#trial, this.#retry]) clearTimeout(timer);
    this.#polling?.abort();
    this.#socket?.close();
  }

  /** Sends a message over the WebSocket. Returns whether the WebSocket was open. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Tests the WebSocket after sleep or a change of network. A dead WebSocket may still look open. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#socket) return this.#pulse.wake();
    this.#failures = 0;
    clearTimeout(this.#retry);
    this.#connect();
  }

  /** Handles the browser's event for a lost network. */
  offline(): void {
    this.#say('offline');
  }

  #say(link: Link): void {
    if (this.#link === link) return;
    this.#link = link;
    this.listener.onlink(link);
  }

  #connect(): void {
    if (this.#stopped) return;
    const address = new URL(`/api/v1/matches/${this.id}/live`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    if (this.watch) address.searchParams.set('watch', this.watch);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#pulse.hear();
      socket.send(JSON.stringify({ t: 'hello', have: this.listener.sequence() }));
    };
    socket.onmessage = (event) => this.#hear(String(event.data));
    socket.onclose = ({ code, reason }) => this.#lost(socket, returnTime(code, reason));
    // Polling starts after a time limit, because a network may deliver nothing over a WebSocket for minutes.
    clearTimeout(this.#trial);
    this.#trial = setTimeout(() => {
      this.#lost(socket);
      void this.#poll();
    }, this.timing.trial);
  }

  /**
   * Closes a failed WebSocket, and opens a new WebSocket after a pause. `chosen` is the pause in milliseconds
   * that a stopping server asked for.
   */
  #lost(socket: WebSocket, chosen: number | null = null): void {
    if (this.#socket !== socket) return;
    this.#discard(socket);
    this.#failures += 1;
    if (this.#failures > 1) void this.#poll();
    const { pause, longestPause } = this.timing;
    const jitter = 0.7 + Math.random() * 0.6;
    const own = Math.min(longestPause, pause * 2 ** this.#failures) * jitter;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), (chosen ?? 0) + own);
  }

  /** Closes a WebSocket and opens a new WebSocket at once. */
  #replace(socket: WebSocket): void {
    if (this.#socket !== socket || this.#stopped) return;
    this.#discard(socket);
    this.#connect();
  }

  /** Closes a WebSocket without waiting for the server's agreement. */
  #discard(socket: WebSocket): void {
    clearTimeout(this.#trial);
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
    this.#socket = null;
    if (this.#link === 'live') this.#say('connecting');
  }

  #hear(text: string): void {
    this.#pulse.hear();
    const message = JSON.parse(text) as ServerMessage;
    switch (message.t) {
      case 'state':
      case 'changed':
        clearTimeout(this.#trial);
        this.#trial = undefined;
        this.#failures = 0;
        this.#say('live');
        this.#polling?.abort();
        this.listener.onstate(message.state);
        if (message.t === 'state') this.listener.onopen();
        break;
      case 'ack':
        this.listener.onack(message.client_id, message.sequence);
        break;
      case 'pong':
        // A pong counts only after the first state. An earlier pong does not prove that the server will
        // report changes.
        if (this.#trial === undefined) this.#say('live');
        break;
      case 'presence':
        this.listener.onpresence(message);
        break;
      case 'said':
        this.listener.onsaid(message.player, message.phrase);
        break;
      case 'problem': {
        const clientId = message.client_id ?? null;
        // After a failed hello the WebSocket is replaced, because the server will report no changes over this
        // WebSocket.
        if (clientId === null && this.#trial !== undefined && this.#socket) this.#lost(this.#socket);
        this.listener.onproblem(problemIn(message.problem, message.problem.status), clientId);
        break;
      }
      default:
        message satisfies never;
    }
  }

  /** Polls the server until a WebSocket works, so that the page works on networks without WebSockets. */
  async #poll(): Promise<void> {
    if (this.#stopped || (this.#polling && !this.#polling.signal.aborted)) return;
    const polling = new AbortController();
    this.#polling = polling;
    // The first poll has no `after`. The immediate answer proves that polling works.
    let after: number | undefined;
    while (!polling.signal.aborted && !this.#stopped) {
      try {
        const poll = { after, wait: this.timing.waitSeconds, signal: polling.signal };
        const state = await readMatch(this.id, this.watch, poll);
        this.#say('polling');
        this.listener.onstate(state);
        if (state.sequence === after) await pause(this.timing.pollPause);
        after = this.listener.sequence() ?? undefined;
      } catch (thrown) {
        if (polling.signal.aborted) break;
        const problem = asProblem(thrown);
        this.#say('offline');
        if (!problem.passing) {
          this.listener.onproblem(problem, null);
          break;
        }
        await pause(this.timing.pollRetry);
      }
    }
    if (this.#polling === polling) this.#polling = null;
  }
}

/** Close code of a WebSocket with which a stopping server asks the page to reconnect. */
const RESTART = 1012;

/** Longest pause that the page accepts from a stopping server, in milliseconds. */
const LONGEST_CHOSEN = 60_000;

/**
 * Returns the pause in milliseconds that a stopping server chose for this page, or null. Different pauses
 * prevent all pages from reconnecting at the same time.
 */
export function returnTime(code: number, reason: string): number | null {
  const told = code === RESTART ? /\bretry-after-ms=(\d+)$/.exec(reason) : null;
  return told ? Math.min(Number(told[1]), LONGEST_CHOSEN) : null;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
