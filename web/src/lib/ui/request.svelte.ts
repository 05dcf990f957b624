// Runs the requests of a component one at a time, and holds the state and the problem of the latest request.
import { asProblem, type Problem } from '$lib/api/problem';

export class RequestRunner {
  /** Whether this object is executing a request. */
  busy = $state(false);
  /**
   * Problem of the latest request. Null after a success, and during a request without a failed attempt. An automatic
   * repetition can keep the problem of the request before.
   */
  problem = $state.raw<Problem | null>(null);

  // The field `#current` is not reactive. An effect that starts a request therefore does not run again when the request
  // ends.
  #current: AbortController | null = null;

  constructor(
    /**
     * Treatment of a second request while a request is running. `first` ignores the second request, and `latest`
     * aborts the running request.
     */
    private readonly counts: 'first' | 'latest' = 'first'
  ) {}

  /**
   * Executes a function that sends a request, and returns the response. Returns null for a request that failed, was
   * ignored because another request was running, or was aborted by a later request.
   *
   * @param keepsProblem whether the problem of the request before stays until the response, for a request that the page
   *   repeats by itself
   */
  async run<Answer>(
    work: (signal: AbortSignal) => Promise<Answer>,
    keepsProblem = false
  ): Promise<Answer | null> {
    if (this.#current && this.counts === 'first') return null;
    this.#current?.abort();
    const own = new AbortController();
    this.#current = own;
    this.busy = true;
    if (!keepsProblem) this.problem = null;
    try {
      const answer = await work(own.signal);
      if (own.signal.aborted) return null;
      this.problem = null;
      return answer;
    } catch (thrown) {
      if (!own.signal.aborted) this.problem = asProblem(thrown);
      return null;
    } finally {
      if (this.#current === own) this.#end();
    }
  }

  /** Stores the error of a request that has failed and will be sent again. */
  lost = (problem: Problem): void => {
    this.problem = problem;
  };

  /** Aborts the request that is running. */
  stop(): void {
    this.#current?.abort();
    this.#end();
  }

  #end(): void {
    this.#current = null;
    this.busy = false;
  }
}
