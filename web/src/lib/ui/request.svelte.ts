// Runs the requests of a part of a page, one at a time, and holds their progress and their problem.
import { asProblem, type Problem } from '$lib/api/problem';

export class RequestRunner {
  /** Whether a request is running. */
  busy = $state(false);
  /** Problem of the last request; null while a request runs without a problem, and after a success. */
  problem = $state.raw<Problem | null>(null);

  // The field is not reactive, so that an effect that runs a request does not depend on the end of the request.
  #current: AbortController | null = null;

  constructor(
    /** Request that counts if a second one is wanted meanwhile: the first, or the latest, which aborts the first. */
    private readonly counts: 'first' | 'latest' = 'first'
  ) {}

  /**
   * Runs a request, and returns its answer. Returns null for a request that failed, that was ignored because of an
   * earlier one, or that was aborted by a later one.
   */
  async run<Answer>(work: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | null> {
    if (this.#current && this.counts === 'first') return null;
    this.#current?.abort();
    const own = new AbortController();
    this.#current = own;
    this.busy = true;
    this.problem = null;
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

  /** Shows the problem of an attempt that is being repeated. */
  lost = (problem: Problem): void => {
    this.problem = problem;
  };

  /** Aborts the running request. */
  stop(): void {
    this.#current?.abort();
    this.#end();
  }

  #end(): void {
    this.#current = null;
    this.busy = false;
  }
}
