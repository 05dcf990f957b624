// Tests the request runner with responses that arrive in another order than the requests.
import { describe, expect, it } from 'vitest';
import { Problem } from '$lib/api/problem';
import { RequestRunner } from '$lib/ui/request.svelte';

/** Simulated requests whose responses the test sends at chosen moments. */
class Answers {
  #given: { resolve: (answer: string) => void; reject: (thrown: unknown) => void }[] = [];
  readonly signals: AbortSignal[] = [];

  ask = (signal: AbortSignal): Promise<string> => {
    this.signals.push(signal);
    return new Promise((resolve, reject) => this.#given.push({ resolve, reject }));
  };
  give = (index: number, answer: string) => this.#given[index]?.resolve(answer);
  refuse = (index: number, thrown: unknown) => this.#given[index]?.reject(thrown);
}

describe('a runner of which the first request counts', () => {
  it('ignores a second request until the first has ended', async () => {
    const [runner, answers] = [new RequestRunner(), new Answers()];
    const first = runner.run(answers.ask);
    expect(runner.busy).toBe(true);
    expect(await runner.run(answers.ask)).toBeNull();
    expect(answers.signals).toHaveLength(1);
    answers.give(0, 'first');
    expect(await first).toBe('first');
    expect(runner.busy).toBe(false);
    const next = runner.run(answers.ask);
    answers.give(1, 'next');
    expect(await next).toBe('next');
  });

  it('shows the problem of a failed request until the next request', async () => {
    const [runner, answers] = [new RequestRunner(), new Answers()];
    const first = runner.run(answers.ask);
    answers.refuse(0, new Problem('busy', '', 503));
    expect(await first).toBeNull();
    expect([runner.busy, runner.problem?.code]).toEqual([false, 'busy']);
    const next = runner.run(answers.ask);
    expect(runner.problem).toBeNull();
    runner.lost(new Problem('offline', ''));
    expect(runner.problem).not.toBeNull();
    answers.give(1, 'next');
    await next;
    expect(runner.problem).toBeNull();
  });

  it('is free again after work that throws before its first pause', async () => {
    const runner = new RequestRunner();
    const thrown = () => {
      throw new TypeError('at once');
    };
    expect(await runner.run(thrown)).toBeNull();
    expect([runner.busy, runner.problem?.message]).toEqual([false, 'at once']);
  });
});

describe('a runner of which the latest request counts', () => {
  it('discards the answer and the problem of an earlier request, in any order', async () => {
    for (const late of ['answer', 'problem']) {
      const [runner, answers] = [new RequestRunner('latest'), new Answers()];
      const earlier = runner.run(answers.ask);
      const latest = runner.run(answers.ask);
      expect(answers.signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      if (late === 'answer') answers.give(0, 'earlier');
      else answers.refuse(0, new Problem('busy', '', 503));
      expect(await earlier).toBeNull();
      expect([runner.busy, runner.problem]).toEqual([true, null]);
      answers.give(1, 'latest');
      expect(await latest).toBe('latest');
      expect(runner.busy).toBe(false);
    }
  });

  it('discards the answer to a request that was stopped', async () => {
    const [runner, answers] = [new RequestRunner('latest'), new Answers()];
    const stopped = runner.run(answers.ask);
    runner.stop();
    expect(runner.busy).toBe(false);
    answers.give(0, 'late');
    expect(await stopped).toBeNull();
  });
});
