// Sends finished matches that this page played offline to the server, as soon as the server can be reached.
import { handIn as send } from '$lib/api/api';
import { asProblem, Problem } from '$lib/api/problem';
import { allRows, openChannel, readRow, writeRow, type Row } from './store';

/**
 * Pause before the first repeated attempt to send offline matches to the server, in milliseconds. Each later pause is
 * twice as long as the pause before.
 */
const FIRST_PAUSE_MS = 2000;

/** Maximum pause between two attempts to send offline matches to the server, in milliseconds. */
const LONGEST_PAUSE_MS = 300_000;

/** Name of the lock that lets only one tab of the browser send offline matches to the server. */
const LOCK = 'overmate.hand-in';

/** Error code with which the server refuses a signed-out browser. */
const SIGNED_OUT = 'signed-out';

/**
 * Broadcast channel between the browser's tabs, which carries the ids of changed matches. A page has only this channel
 * for its own changes, because a second channel of the page would receive them, too.
 */
export const channel = openChannel();

const isWaiting = ({ summary, handed, refused }: Row): boolean =>
  summary.result !== null && handed === undefined && refused === undefined;

class HandIn {
  /**
   * Counter that grows when an attempt to send an offline match to the server changes the stored match, in any tab of
   * the browser. Lists read the matches again after each change.
   */
  changes = $state(0);
  /**
   * Temporary problem of the last attempt to send offline matches, after which the page tries again; null without a
   * problem.
   */
  problem = $state.raw<Problem | null>(null);
  #isStarted = false;
  #pause = FIRST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<unknown> | null = null;
  /** Whether another match has finished during the current attempt to send offline matches. */
  #again = false;

  /**
   * Sends finished offline matches to the server immediately. From the first call on, the page also sends them each time
   * the network is back or another tab reports the end of a match.
   */
  start(): void {
    if (typeof indexedDB === 'undefined') return;
    if (!this.#isStarted) this.#listen();
    void this.run();
  }

  #listen(): void {
    this.#isStarted = true;
    const changed = async ({ data }: MessageEvent<string>) => {
      const row = await readRow(data).catch(() => null);
      if (row && isWaiting(row)) await this.run();
      else if (row?.summary.result) this.changes += 1;
    };
    channel?.addEventListener('message', (event: MessageEvent<string>) => void changed(event));
    addEventListener('online', () => void this.run());
  }

  /** Sends all finished offline matches to the server, the earliest first. */
  async run(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      await this.#running;
      return;
    }
    clearTimeout(this.#timer);
    // At an insecure address, browsers offer no locks (Web Locks API), so that several tabs may send a match.
    // The server accepts the match only once.
    const attempt = () => this.#handInAll();
    this.#running = navigator.locks ? navigator.locks.request(LOCK, attempt) : attempt();
    try {
      await this.#running;
    } finally {
      this.#running = null;
    }
    if (this.#again) {
      this.#again = false;
      await this.run();
    }
  }

  /** Resends the offline matches that the server has refused. */
  async retry(): Promise<void> {
    // A new attempt to send the offline matches to the server begins after the end of the running attempt. A request
    // from before a sign-in could otherwise mark its match as refused again.
    await this.#running?.catch(() => undefined);
    // If the browser cannot write to its database, the marks on offline matches that the server has refused stay there.
    await this.#forgetRefusals().catch(() => undefined);
    this.#pause = FIRST_PAUSE_MS;
    await this.run();
  }

  async #forgetRefusals(): Promise<void> {
    for (const { id } of await allRows()) {
      const row = await readRow(id);
      if (row?.refused === undefined) continue;
      delete row.refused;
      await writeRow(row);
      this.#report(id);
    }
  }

  async #handInAll(): Promise<void> {
    // If the browser's database is unreadable, the page sends no offline matches.
    const all = await allRows().catch(() => []);
    // After a sign-out, the page sends no offline match to the server until the player signs in or requests another
    // attempt. The browser gets a new identity with its next request.
    if (all.some(({ refused }) => refused?.code === SIGNED_OUT)) return;
    const rows = all.filter(isWaiting);
    rows.sort((one, other) => one.match.created_at.localeCompare(other.match.created_at));
    this.problem = null;
    for (const { id, match } of rows) {
      let told: Pick<Row, 'handed' | 'refused'>;
      try {
        told = { handed: (await send(match)).id };
        this.#pause = FIRST_PAUSE_MS;
      } catch (thrown) {
        const problem = asProblem(thrown);
        // During an upgrade, a server of the previous version does not know the request that transfers offline matches.
        // The page then tries again later.
        if (problem.passing || problem.status === 404 || problem.status === 405) {
          this.problem = problem;
          this.#timer = setTimeout(() => void this.run(), this.#pause);
          this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS);
          return;
        }
        told = { refused: { code: problem.code, detail: problem.message } };
      }
      // If the browser cannot write to its database, a later attempt sends the match again. The server then returns the
      // same match.
      await this.#note(id, told).catch(() => undefined);
      if (told.refused?.code === SIGNED_OUT) return;
    }
  }

  /**
   * Stores the server's response to an offline match beside the match, unless the person has deleted the match
   * meanwhile.
   */
  async #note(id: string, answer: Pick<Row, 'handed' | 'refused'>): Promise<void> {
    const row = await readRow(id);
    if (row) await writeRow({ ...row, ...answer });
    this.#report(id);
  }

  /** Reports a changed offline match to the lists of matches in all tabs of the browser. */
  #report(id: string): void {
    this.changes += 1;
    channel?.postMessage(id);
  }
}

export const handIn = new HandIn();
