// A match over the wire: its state, and actions that arrive once, whatever the connection does.
import type { MatchState, ServerMessage } from '$lib/api/types';
import { actOn, readMatch } from '$lib/api/api';
import { Once } from '$lib/api/once';
import { Problem, asProblem, problemIn } from '$lib/api/problem';

/** How the page hears from the server now. */
export type Link = 'connecting' | 'live' | 'polling' | 'offline';

/** An action on its way: kept until the server has said that it is stored. */
export interface Pending {
  sequence: number;
  action: string;
  client_id: string;
}

const RESEND_MS = 2500;
const PING_MS = 20_000;
const SILENCE_MS = 45_000;
/** How long a socket may take from being asked for to the first state. */
const TRIAL_MS = 5000;
const LONGEST_PAUSE_MS = 8000;
/** How long a long poll may take, in seconds. */
const WAIT_S = 20;

export class LiveMatch {
  state = $state.raw<MatchState | null>(null);
  link = $state<Link>('connecting');
  pending = $state.raw<Pending | null>(null);
  /** What else is being asked for, such as taking back. */
  asking = $state<string | null>(null);
  /** The last thing that was refused or failed, until the next success. */
  problem = $state.raw<Problem | null>(null);

  #once = new Once();
  #socket: WebSocket | null = null;
  /** Runs while the socket has yet to bring its first state. */
  #trial: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #heard = 0;
  #timers = new Set<ReturnType<typeof setTimeout>>();
  #resend: ReturnType<typeof setTimeout> | undefined;
  #polling: AbortController | null = null;
  #stopped = false;
  /** The sequence of the state that holds the acknowledged action, until that state is here. */
  #awaited: number | null = null;

  constructor(
    readonly id: string,
    /** The token of somebody who only watches. */
    readonly watch: string | null = null,
    first: MatchState | null = null
  ) {
    this.state = first;
    this.pending = this.#kept();
  }

  /** Begins to listen; the function that it returns ends it. */
  start(): () => void {
    const wake = () => this.#wake();
    document.addEventListener('visibilitychange', wake);
    document.addEventListener('resume', wake);
    addEventListener('online', wake);
    const lost = () => (this.link = 'offline');
    addEventListener('offline', lost);
    addEventListener('pageshow', wake);
    const beat = setInterval(() => this.#beat(), PING_MS);
    void this.refresh();
    this.#connect();
    if (this.pending) this.#send();
    return () => {
      this.#stopped = true;
      document.removeEventListener('visibilitychange', wake);
      document.removeEventListener('resume', wake);
      removeEventListener('online', wake);
      removeEventListener('offline', lost);
      removeEventListener('pageshow', wake);
      clearInterval(beat);
      clearTimeout(this.#resend);
      clearTimeout(this.#trial);
      for (const timer of this.#timers) clearTimeout(timer);
      this.#polling?.abort();
      this.#socket?.close();
    };
  }

  /** Sends an action for the state that is shown. Nothing is sent while another is on its way. */
  act(action: string): void {
    if (!this.state || this.pending) return;
    this.#keep({ sequence: this.state.sequence, action, client_id: crypto.randomUUID() });
    this.problem = null;
    this.#send();
  }

  /** Does something that answers with the state, such as taking back. Says whether it was done. */
  async ask(what: string, request: (id: string, client_id: string) => Promise<MatchState>): Promise<boolean> {
    const state = await this.once(what, request);
    if (state) this.absorb(state);
    return state !== null;
  }

  /** Asks for something that is to happen once; null if it was refused, or something is being asked for already. */
  async once<Answer>(
    what: string,
    request: (id: string, client_id: string) => Promise<Answer>
  ): Promise<Answer | null> {
    if (this.asking) return null;
    this.asking = what;
    this.problem = null;
    try {
      // What is wanted of a later state is another thing.
      const named = `${what} ${this.state?.sequence}`;
      const lost = (problem: Problem) => (this.problem = problem);
      const answer = await this.#once.send(named, (client_id) => request(this.id, client_id), lost);
      this.problem = null;
      return answer;
    } catch (thrown) {
      this.#refused(asProblem(thrown));
      return null;
    } finally {
      this.asking = null;
    }
  }

  /** Reads the state anew. */
  async refresh(): Promise<void> {
    try {
      this.absorb(await readMatch(this.id, this.watch));
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (!problem.passing) this.problem = problem;
    }
  }

  /** Takes a state over unless it is older than what is known. */
  absorb(state: MatchState): void {
    const known = this.state;
    if (known && state.sequence < known.sequence) return;
    if (state.finished_from > 0) {
      // A change brings only what is new of the games before.
      const kept = known?.finished.filter((game) => game.index < state.finished_from) ?? [];
      if (kept.length < state.finished_from) return void this.refresh();
      state = { ...state, finished: [...kept, ...state.finished], finished_from: 0 };
    }
    this.state = state;
    if (this.#awaited !== null && state.sequence >= this.#awaited && this.pending)
      this.#settled(this.pending.client_id);
  }

  #send(): void {
    const pending = this.pending;
    clearTimeout(this.#resend);
    if (!pending || this.#stopped) return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#socket.send(JSON.stringify({ t: 'act', ...pending }));
      this.#resend = setTimeout(() => void this.#post(pending), RESEND_MS);
    } else {
      void this.#post(pending);
    }
  }

  /** The same action by a request of its own: the server knows its id and does it once. */
  async #post(pending: Pending): Promise<void> {
    if (this.pending?.client_id !== pending.client_id) return;
    try {
      const state = await actOn(this.id, pending);
      this.#settled(pending.client_id);
      this.absorb(state);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.passing) {
        this.#resend = setTimeout(() => this.#send(), RESEND_MS);
      } else {
        this.#settled(pending.client_id);
        this.#refused(problem);
      }
    }
  }

  /** An action is stored. It stays on its way until the state with it is here, lest the old one be acted on again. */
  #acknowledged(client_id: string, sequence: number): void {
    if (this.pending?.client_id !== client_id) return;
    if ((this.state?.sequence ?? -1) >= sequence) return this.#settled(client_id);
    this.#awaited = sequence;
    clearTimeout(this.#resend);
    this.#resend = setTimeout(() => void this.refresh(), RESEND_MS);
  }

  #settled(client_id: string): void {
    if (this.pending?.client_id !== client_id) return;
    this.#awaited = null;
    clearTimeout(this.#resend);
    this.#keep(null);
  }

  #refused(problem: Problem): void {
    this.problem = problem;
    if (problem.state) this.absorb(problem.state as MatchState);
    else void this.refresh();
  }

  #connect(): void {
    if (this.#stopped) return;
    const address = new URL(`/api/v1/matches/${this.id}/live`, location.href);
    address.protocol = address.protocol.replace('http', 'ws');
    if (this.watch) address.searchParams.set('watch', this.watch);
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      socket.send(JSON.stringify({ t: 'hello', have: this.state?.sequence ?? null }));
    };
    socket.onmessage = (event) => this.#hear(String(event.data));
    socket.onclose = () => this.#lost(socket);
    // A network may let a socket hang for minutes, before it opens or after: polling must not wait for that.
    clearTimeout(this.#trial);
    this.#trial = setTimeout(() => {
      this.#lost(socket);
      void this.#poll();
    }, TRIAL_MS);
  }

  /** A socket has ended, or is given up; another one is tried after a pause. */
  #lost(socket: WebSocket): void {
    if (this.#socket !== socket) return;
    this.#discard(socket);
    this.#failures += 1;
    if (this.#failures > 1) void this.#poll();
    const pause = Math.min(LONGEST_PAUSE_MS, 300 * 2 ** this.#failures) * (0.7 + Math.random() * 0.6);
    this.#later(pause, () => this.#connect());
  }

  /** Takes leave of a socket without waiting for the other side to agree. */
  #discard(socket: WebSocket): void {
    clearTimeout(this.#trial);
    socket.onopen = socket.onclose = socket.onmessage = null;
    socket.close();
    this.#socket = null;
    if (this.link === 'live') this.link = 'connecting';
  }

  #hear(text: string): void {
    this.#heard = Date.now();
    const message = JSON.parse(text) as ServerMessage;
    if (message.t === 'state' || message.t === 'changed') {
      clearTimeout(this.#trial);
      this.#trial = undefined;
      this.#failures = 0;
      this.link = 'live';
      this.#polling?.abort();
      this.absorb(message.state);
      if (message.t === 'state' && this.pending) this.#send();
    } else if (message.t === 'ack') {
      this.#acknowledged(message.client_id, message.sequence);
    } else if (message.t === 'pong') {
      // Before the first state it only says that the server is there, not that it will tell of changes.
      if (this.#trial === undefined) this.link = 'live';
    } else if (message.t === 'problem') {
      const problem = problemIn(message.problem, message.problem.status);
      if (message.client_id && problem.passing) return;
      if (message.client_id) this.#settled(message.client_id);
      // A hello that fails leaves a socket that will never tell of changes.
      else if (this.#trial !== undefined && this.#socket) this.#lost(this.#socket);
      if (problem.passing) void this.refresh();
      else this.#refused(problem);
    }
  }

  /** Long polls until the socket is back, so that a network without WebSockets plays as well. */
  async #poll(): Promise<void> {
    if (this.#stopped || (this.#polling && !this.#polling.signal.aborted)) return;
    const polling = new AbortController();
    this.#polling = polling;
    // The first answer comes at once, and says that this is a way to hear from the server.
    let after: number | undefined;
    while (!polling.signal.aborted && !this.#stopped) {
      try {
        const state = await readMatch(this.id, this.watch, { after, wait: WAIT_S, signal: polling.signal });
        this.link = 'polling';
        this.absorb(state);
        if (state.sequence === after) await this.#pause(500);
        after = this.state?.sequence;
      } catch (thrown) {
        if (polling.signal.aborted) break;
        const problem = asProblem(thrown);
        this.link = 'offline';
        if (!problem.passing) {
          this.problem = problem;
          break;
        }
        await this.#pause(2000);
      }
    }
    if (this.#polling === polling) this.#polling = null;
  }

  /** After sleep or a change of network a socket may look open and be dead. */
  #wake(): void {
    if (document.visibilityState === 'hidden' || this.#stopped) return;
    void this.refresh();
    if (this.pending) this.#send();
    const socket = this.#socket;
    if (!socket) {
      this.#failures = 0;
      for (const timer of this.#timers) clearTimeout(timer);
      this.#timers.clear();
      this.#connect();
    } else if (socket.readyState === WebSocket.OPEN) {
      const asked = Date.now();
      socket.send(JSON.stringify({ t: 'ping' }));
      this.#later(3000, () => {
        if (this.#heard < asked && this.#socket === socket) this.#drop(socket);
      });
    }
  }

  #beat(): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > SILENCE_MS) this.#drop(socket);
    else socket.send(JSON.stringify({ t: 'ping' }));
  }

  /** Gives a socket up and tries the next at once. */
  #drop(socket: WebSocket): void {
    this.#discard(socket);
    this.#connect();
  }

  #later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#stopped) then();
    }, ms);
    this.#timers.add(timer);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  // The action on its way outlives the page: after a reload it is sent again under the same id.
  #keep(pending: Pending | null): void {
    this.pending = pending;
    try {
      if (pending) localStorage.setItem(this.#key(), JSON.stringify(pending));
      else localStorage.removeItem(this.#key());
    } catch {
      // Without storage an action on its way is lost with the page, and only then.
    }
  }

  #kept(): Pending | null {
    try {
      return JSON.parse(localStorage.getItem(this.#key()) ?? 'null') as Pending | null;
    } catch {
      return null;
    }
  }

  #key(): string {
    return `overmate.pending.${this.id}`;
  }
}
