// Connects a match to the server by a WebSocket, or by long polls while no WebSocket works.
import { readMatch } from '$lib/api/api';
import { asProblem, problemIn, type Problem } from '$lib/api/problem';
import type {
  ClientMessage,
  MatchState,
  Phrase,
  Player,
  Presences,
  ServerMessage,
  TalkLine
} from '$lib/api/types';
import { Reconnecting, SOCKET_TIMING, type SocketTiming } from '$lib/net/socket';

/** State of a match's connection to the server. The state `here` belongs to a match that the page itself keeps. */
export type Link = 'connecting' | 'live' | 'polling' | 'offline' | 'here';

/**
 * Time settings of a match's connection to the server. The unit is milliseconds, unless the name says
 * seconds.
 */
export interface Timing extends SocketTiming {
  /** Retry delay of an unacknowledged action, in milliseconds. */
  resend: number;
  /** Duration of one long poll, in seconds. */
  waitSeconds: number;
  /** Pause after a long poll without a new match state, in milliseconds. */
  pollPause: number;
  pollRetry: number;
}

export const TIMING: Timing = {
  ...SOCKET_TIMING,
  resend: 2500,
  waitSeconds: 20,
  pollPause: 500,
  pollRetry: 2000
};

/** Listener for match states, acknowledgements and problems that the server sends. */
export interface Listener {
  /** Returns the sequence number of the latest received match state, or null before the first match state. */
  sequence: () => number | null;
  onlink: (link: Link) => void;
  onstate: (state: MatchState) => void;
  /**
   * Callback that runs when the first match state has arrived over a new WebSocket. Messages over the previous
   * WebSocket may be lost.
   */
  onopen: () => void;
  onack: (clientId: string, sequence: number) => void;
  /**
   * Callback for a problem such as a refused action, with the idempotency key (client id) of the action that caused the
   * problem. If the key is null, the problem concerns the connection.
   */
  onproblem: (problem: Problem, clientId: string | null) => void;
  onpresence: (players: Presences) => void;
  onsaid: (player: Player, phrase: Phrase) => void;
  ontalk: (lines: TalkLine[]) => void;
}

/** Connection that reports the changes of a match, from the server or, for an offline match, from the page itself. */
export interface MatchConnection {
  start: () => void;
  stop: () => void;
  /** Sends a message over an open WebSocket. Returns whether a WebSocket was open. */
  send: (message: ClientMessage) => boolean;
  /** Tests whether the connection still works after the device was asleep or has changed its network. */
  wake: () => void;
  /** Tells the connection that the browser has lost the network. */
  offline: () => void;
}

export class Connection implements MatchConnection {
  #socket: Reconnecting;
  #polling: AbortController | null = null;
  #link: Link = 'connecting';
  #stopped = false;
  /**
   * Whether the server has reported that the match does not exist or is hidden from this browser. The connection then
   * waits for the next call of `wake`.
   */
  #gone = false;

  constructor(
    private readonly id: string,
    private readonly watch: string | null,
    private readonly timing: Timing,
    private readonly listener: Listener
  ) {
    this.#socket = new Reconnecting(timing, {
      url: () => this.#address(),
      onopen: () => this.send({ t: 'hello', have: this.listener.sequence() }),
      onmessage: (text) => this.#hear(text),
      onclosed: () => this.#link === 'live' && this.#say('connecting'),
      onfail: () => void this.#poll()
    });
  }

  start(): void {
    this.#socket.start();
  }

  stop(): void {
    this.#stopped = true;
    this.#socket.stop();
    this.#polling?.abort();
  }

  /** Sends a message over the WebSocket. Returns whether the WebSocket was open. */
  send(message: ClientMessage): boolean {
    return this.#socket.send(message);
  }

  /**
   * Tests whether the WebSocket still works after the device was asleep or has changed its network. For a match that
   * the server did not find, tries to connect again.
   */
  wake(): void {
    if (!this.#gone) return this.#socket.wake();
    this.#gone = false;
    this.#socket.start();
  }

  /** Marks the connection as offline when the browser reports that the network is lost. */
  offline(): void {
    this.#say('offline');
  }

  #say(link: Link): void {
    if (this.#link === link) return;
    this.#link = link;
    this.listener.onlink(link);
  }

  #address(): URL {
    const address = new URL(`/api/v1/matches/${this.id}/live`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    if (this.watch) address.searchParams.set('watch', this.watch);
    return address;
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as ServerMessage;
    switch (message.t) {
      case 'state':
      case 'changed':
        this.#socket.prove();
        this.#say('live');
        this.#polling?.abort();
        this.listener.onstate(message.state);
        if (message.t === 'state') this.listener.onopen();
        break;
      case 'ack':
        this.listener.onack(message.client_id, message.sequence);
        break;
      case 'pong':
        // A pong message counts as proof of a live connection only after the first match state has arrived over the
        // WebSocket. An earlier pong does not prove that the server will report changes.
        if (this.#socket.proved) this.#say('live');
        break;
      case 'presence':
        this.listener.onpresence(message);
        break;
      case 'said':
        this.listener.onsaid(message.player, message.phrase);
        break;
      case 'talk':
        this.listener.ontalk(message.lines);
        break;
      case 'problem': {
        const clientId = message.client_id ?? null;
        // A WebSocket whose first message (hello) failed is replaced, because the server reports no changes over this
        // WebSocket.
        if (clientId === null && !this.#socket.proved) this.#socket.fail();
        this.listener.onproblem(problemIn(message.problem, message.problem.status), clientId);
        break;
      }
      default:
        message satisfies never;
    }
  }

  /** Reads the match state by long polls until a WebSocket works. Some networks permit no WebSockets. */
  async #poll(): Promise<void> {
    if (this.#stopped || (this.#polling && !this.#polling.signal.aborted)) return;
    const polling = new AbortController();
    this.#polling = polling;
    // The first long poll has no parameter `after`, so that the server responds at once. The response proves that
    // polling works.
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
          // The WebSocket of a signed-out browser keeps reconnecting, because the player can sign in again in another
          // tab.
          if (problem.code === 'not-found') {
            this.#gone = true;
            this.#socket.stop();
          }
          this.listener.onproblem(problem, null);
          break;
        }
        await pause(this.timing.pollRetry);
      }
    }
    if (this.#polling === polling) this.#polling = null;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
