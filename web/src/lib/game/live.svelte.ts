// Holds the state of a match, and sends the player's actions so that each action takes effect exactly once.
import { Once } from '$lib/api/once';
import { asProblem, type Problem } from '$lib/api/problem';
import type { Hint, MatchState, Phrase, Player, Presences, TalkLine } from '$lib/api/types';
import { onWake } from '$lib/net/pulse';
import { randomId } from '$lib/net/random';
import { TIMING, type Link, type MatchConnection, type Timing } from './connection';
import type { Keeper } from './keeper';
import { keeperOf } from './keepers';
import { otherPlayer } from './scene';
import { storedPending, storePending, type Pending } from './pending';
import { storedReadTalk, storeReadTalk } from './readtalk';

/**
 * Names of the requests that are queued while another request is running. These requests do not depend on the position,
 * which the running request may change.
 */
const QUEUED = ['resign', 'pause'];

export class LiveMatch {
  state = $state.raw<MatchState | null>(null);
  link = $state<Link>('connecting');
  /** Action that was sent and that the server has not confirmed yet, or null. */
  pending = $state.raw<Pending | null>(null);
  /**
   * Name of the request that awaits a response, such as `undo`, or null. Actions are not counted among these
   * requests.
   */
  asking = $state<string | null>(null);
  /** Problem of the last failed request. Null after a success. */
  problem = $state.raw<Problem | null>(null);

  /**
   * Presence of both players in the server's latest report over the current WebSocket; null before the first report.
   */
  #presence = $state.raw<Presences | null>(null);
  /**
   * Presence of both players in a match between people: whether each player has the match open. Null before the
   * server's first report, and without a live connection.
   */
  presence = $derived(this.link === 'live' ? this.#presence : null);
  /** Latest chat phrase, with the player who sent the phrase. The number `turn` counts the received phrases. */
  said = $state.raw<{ player: Player; phrase: Phrase; turn: number } | null>(null);

  /** Chat messages of both players that have arrived so far, in order. */
  talk = $state.raw<TalkLine[]>([]);
  /** Latest chat message that arrived while the page was open; null before the first such message. */
  told = $state.raw<TalkLine | null>(null);
  /** Number of the last chat message that the player has read; 0 if the player has read no message. */
  #read = $state(0);
  /**
   * Number of the opponent's chat messages that arrived after the player's last message, and that the player has not
   * read in this browser.
   */
  unread = $derived.by(() => {
    const isOwn = ({ player }: TalkLine) => player === this.state?.you;
    const answered = this.talk.findLast(isOwn)?.number ?? 0;
    return this.talk.filter((line) => !isOwn(line) && line.number > Math.max(answered, this.#read)).length;
  });

  /** Keeper of the match: the server or, for an offline match, the page itself. */
  readonly keeper: Keeper;

  #once = new Once();
  /** Names of the running and queued requests that change the match state, such as `undo`. */
  #asked: readonly string[] = [];
  /** Latest request, as a promise that settles when the request ends; null before the first request. */
  #running: Promise<unknown> | null = null;
  #connection: MatchConnection;
  #resend: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;
  /**
   * Sequence number of the match state that will follow the acknowledged action; null if no such state is awaited.
   */
  #awaited: number | null = null;

  constructor(
    readonly id: string,
    /** Spectator token of the match, or null for players. */
    readonly watch: string | null = null,
    first: MatchState | null = null,
    private readonly timing: Timing = TIMING
  ) {
    this.state = first;
    this.pending = storedPending(id);
    this.#read = storedReadTalk(id);
    this.keeper = keeperOf(id);
    this.#connection = this.keeper.connect(id, watch, timing, {
      sequence: () => this.state?.sequence ?? null,
      onlink: (link) => (this.link = link),
      onstate: (state) => this.absorb(state),
      onopen: () => {
        this.#presence = null;
        this.#send();
        this.#attend();
      },
      onack: (clientId, sequence) => this.#acknowledged(clientId, sequence),
      onproblem: (problem, clientId) => this.#problem(problem, clientId),
      onpresence: (players) => (this.#presence = players),
      onsaid: (player, phrase) => (this.said = { player, phrase, turn: (this.said?.turn ?? 0) + 1 }),
      ontalk: (lines) => {
        this.hear(lines);
        // Chat messages that arrive before the first report of the players' presence are old, and the page does not
        // announce them.
        if (this.#presence) this.told = lines.at(-1) ?? null;
      }
    });
  }

  /** Starts listening for changes of the match. Returns the function that stops listening. */
  start(): () => void {
    const wake = () => {
      this.#attend();
      this.#wake();
    };
    const offline = () => this.#connection.offline();
    const unlisten = onWake(wake, offline);
    void this.refresh();
    this.#connection.start();
    this.#send();
    return () => {
      this.#stopped = true;
      unlisten();
      clearTimeout(this.#resend);
      this.#connection.stop();
    };
  }

  /**
   * Sends an action of the player in the current match state. The call has no effect while another action is
   * unconfirmed.
   */
  act(action: string): void {
    if (!this.state || this.pending) return;
    this.#keep({ sequence: this.state.sequence, action, client_id: randomId() });
    this.problem = null;
    this.#send();
  }

  /** Whether the opponent of this browser's player is a person. */
  get withFriend(): boolean {
    const { state } = this;
    if (!state || (state.you !== 'a' && state.you !== 'b')) return false;
    const { kind } = state.players[otherPlayer(state.you)];
    return kind === 'friend' || kind === 'open';
  }

  /** Sends a chat phrase to the human opponent. */
  say(phrase: Phrase): void {
    this.#connection.send({ t: 'say', phrase });
  }

  /** Adds chat messages to the list of messages, except messages that the list already contains. */
  hear(lines: TalkLine[]): void {
    const isKnown = ({ number }: TalkLine) => this.talk.some((known) => known.number === number);
    const added = lines.filter((line) => !isKnown(line));
    if (added.length > 0)
      this.talk = [...this.talk, ...added].sort((one, other) => one.number - other.number);
  }

  /** Records that the player has read all chat messages that have arrived so far. */
  readAll(): void {
    // All chat messages up to the largest number that this browser knows count as read. After a mute, the list lacks
    // the opponent's messages, and another tab can have shown later messages.
    this.#read = Math.max(this.#read, storedReadTalk(this.id), this.talk.at(-1)?.number ?? 0);
    storeReadTalk(this.id, this.#read);
  }

  /** Reports to the server whether this page is in the foreground. */
  #attend(): void {
    if (this.withFriend)
      this.#connection.send({ t: 'attend', hidden: document.visibilityState === 'hidden' });
  }

  /**
   * Sends a request that returns the new match state, such as an undo. While another request is running, a resignation
   * and a request for a pause wait for its end, and all other requests have no effect. Returns whether the request
   * succeeded.
   */
  async ask(what: string, request: (id: string, client_id: string) => Promise<MatchState>): Promise<boolean> {
    if (this.#asked.includes(what) || (this.asking && !QUEUED.includes(what))) return false;
    this.#asked = [...this.#asked, what];
    try {
      while (this.asking) await this.#running;
      if (this.#stopped) return false;
      const state = await this.once(what, request);
      if (state) this.absorb(state);
      return state !== null;
    } finally {
      this.#asked = this.#asked.filter((asked) => asked !== what);
    }
  }

  /**
   * Sends an idempotent request, and returns the response. Returns null if the server refuses the request, or while
   * another request awaits a response.
   */
  async once<Answer>(
    what: string,
    request: (id: string, client_id: string) => Promise<Answer>
  ): Promise<Answer | null> {
    if (this.asking) return null;
    const running = this.#run(what, request);
    this.#running = running;
    return running;
  }

  async #run<Answer>(
    what: string,
    request: (id: string, client_id: string) => Promise<Answer>
  ): Promise<Answer | null> {
    this.asking = what;
    this.problem = null;
    try {
      // The name of a request contains the sequence number of the match state. A request with the same purpose in a
      // later state thus gets a new idempotency key.
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

  /**
   * Reads the complete match state from the server. For a match that is played offline, reads the state from the
   * page.
   */
  async refresh(): Promise<void> {
    try {
      this.absorb(await this.keeper.read(this.id, this.watch));
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (!problem.passing) this.problem = problem;
    }
  }

  /**
   * Returns the match state with a given sequence number. If the known state has another number, reads the
   * state again. Returns null if the number still differs.
   */
  async stateAt(sequence: number): Promise<MatchState | null> {
    if (this.state?.sequence !== sequence) await this.refresh();
    return this.state?.sequence === sequence ? this.state : null;
  }

  /**
   * Requests a hint for the current position, and reads the match state after the hint. Returns null if there is no
   * hint.
   */
  async hint(): Promise<Hint | null> {
    const { state } = this;
    if (!state) return null;
    const stateAt = (sequence: number) => this.stateAt(sequence);
    const hint = await this.once('hint', (_id, client_id) => this.keeper.hint(state, client_id, stateAt));
    if (hint) await this.stateAt(hint.sequence);
    return hint;
  }

  /** Stores a received match state, unless a newer state is known. */
  absorb(state: MatchState): void {
    // If a match state arrives while the player is signed out, the player has signed in again, for example in another
    // tab.
    if (this.problem?.code === 'signed-out') this.problem = null;
    const known = this.state;
    if (known && state.sequence < known.sequence) return;
    if (state.finished_from > 0) {
      // A match state in which `finished_from` is above 0 omits the finished games with lower indexes. If the page
      // lacks such games, it reads the whole state.
      const kept = known?.finished.filter((game) => game.index < state.finished_from) ?? [];
      if (kept.length < state.finished_from) return void this.refresh();
      state = { ...state, finished: [...kept, ...state.finished], finished_from: 0 };
    }
    this.state = state;
    if (this.#awaited !== null && state.sequence >= this.#awaited && this.pending)
      this.#settled(this.pending.client_id);
  }

  /**
   * Sends the pending action over the WebSocket, and falls back to HTTP without a WebSocket or without a timely
   * response.
   */
  #send(): void {
    const pending = this.pending;
    clearTimeout(this.#resend);
    if (!pending || this.#stopped) return;
    if (this.#connection.send({ t: 'act', ...pending })) {
      this.#resend = setTimeout(() => void this.#post(pending), this.timing.resend);
    } else {
      void this.#post(pending);
    }
  }

  /**
   * Sends the pending action as an HTTP request. The client id of the action lets the server recognise repetitions.
   */
  async #post(pending: Pending): Promise<void> {
    if (this.pending?.client_id !== pending.client_id) return;
    try {
      const state = await this.keeper.act(this.id, pending);
      this.#settled(pending.client_id);
      this.absorb(state);
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (problem.passing) {
        if (!this.#stopped) this.#resend = setTimeout(() => this.#send(), this.timing.resend);
      } else {
        this.#settled(pending.client_id);
        this.#refused(problem);
      }
    }
  }

  /**
   * Keeps an acknowledged action pending until the match state after the action arrives. Until then the player cannot
   * act on the old state again.
   */
  #acknowledged(clientId: string, sequence: number): void {
    if (this.pending?.client_id !== clientId) return;
    if ((this.state?.sequence ?? -1) >= sequence) return this.#settled(clientId);
    this.#awaited = sequence;
    clearTimeout(this.#resend);
    this.#resend = setTimeout(() => void this.refresh(), this.timing.resend);
  }

  #settled(clientId: string): void {
    if (this.pending?.client_id !== clientId) return;
    this.#awaited = null;
    clearTimeout(this.#resend);
    this.#keep(null);
  }

  #problem(problem: Problem, clientId: string | null): void {
    if (clientId !== null) {
      // The page sends the action again after a pause, because a busy server has not decided about the action.
      if (problem.passing) return;
      this.#settled(clientId);
    }
    if (problem.passing) void this.refresh();
    else this.#refused(problem);
  }

  #refused(problem: Problem): void {
    this.problem = problem;
    if (problem.state) this.absorb(problem.state as MatchState);
    else void this.refresh();
  }

  /** Checks the connection and reads the match state, after the device was asleep or has changed its network. */
  #wake(): void {
    if (document.visibilityState === 'hidden' || this.#stopped) return;
    void this.refresh();
    this.#send();
    this.#connection.wake();
  }

  #keep(pending: Pending | null): void {
    this.pending = pending;
    storePending(this.id, pending);
  }
}
