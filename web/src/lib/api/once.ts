// Requests that happen once, however often they have to be sent: a lost answer says nothing about what was done.
import { asProblem, type Problem } from './problem';

/** How long to wait before each further attempt, in milliseconds. */
const PAUSES = [1000, 2000, 4000, 8000];

export class Once {
  /** The ids of requests that have not been answered, by what they ask for. */
  #open = new Map<string, string>();

  /**
   * Sends a request under an id of its own, again and again under the same one while no answer comes. If it is given
   * up, the id is kept: whoever asks for the same again, asks under the same id.
   *
   * @param what names the request; after an answer the same name stands for a new one
   * @param lost is told of every attempt that was in vain
   */
  async send<Answer>(
    what: string,
    request: (client_id: string) => Promise<Answer>,
    lost: (problem: Problem) => void = () => {},
    pauses: readonly number[] = PAUSES
  ): Promise<Answer> {
    const client_id = this.#open.get(what) ?? crypto.randomUUID();
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
