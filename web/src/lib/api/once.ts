// Sends idempotent requests, and repeats a request after temporary failures, such as a lost response.
import { randomId } from '$lib/net/random';
import { asProblem, type Problem } from './problem';

/** Retry delays, in milliseconds, of a request that receives no response. */
const PAUSES = [1000, 2000, 4000, 8000];

export class Once {
  /** Idempotency keys of the unanswered requests, by request name. */
  #open = new Map<string, string>();

  /**
   * Sends a request with an idempotency key, and retries the request after temporary failures. After the last attempt,
   * the key is kept for the next call with the same name.
   *
   * @param what name of the request; after a response, the same name stands for a new request
   * @param lost callback after every attempt without a response
   */
  async send<Answer>(
    what: string,
    request: (client_id: string) => Promise<Answer>,
    lost: (problem: Problem) => void = () => {},
    pauses: readonly number[] = PAUSES
  ): Promise<Answer> {
    const client_id = this.#open.get(what) ?? randomId();
    this.#open.set(what, client_id);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await request(client_id);
        this.#open.delete(what);
        return answer;
      } catch (thrown) {
        const problem = asProblem(thrown);
        const pause = pauses[attempt];
        if (!problem.passing) this.#open.delete(what);
        if (!problem.passing || pause === undefined) throw problem;
        lost(problem);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
