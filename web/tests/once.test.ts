// Tests idempotent requests with a simulated server that loses responses.
import { describe, expect, it } from 'vitest';
import { Once } from '$lib/api/once';
import { Problem } from '$lib/api/problem';

/** Simulated server that counts the different client ids of its requests, and loses some responses. */
class Counter {
  done = new Map<string, number>();
  attempts = 0;
  constructor(private readonly lost: (attempt: number) => boolean) {}

  ask = async (client_id: string): Promise<number> => {
    if (!this.done.has(client_id)) this.done.set(client_id, this.done.size + 1);
    this.attempts += 1;
    if (this.lost(this.attempts)) throw new TypeError('network');
    return this.done.get(client_id) ?? 0;
  };
}

const AT_ONCE = [0, 0, 0];
const ask = (once: Once, what: string, counter: Counter) => once.send(what, counter.ask, undefined, AT_ONCE);

describe('a request that takes effect once', () => {
  it('is repeated until its answer comes, and takes effect once', async () => {
    const counter = new Counter((attempt) => attempt < 4);
    expect(await ask(new Once(), 'undo 7', counter)).toBe(1);
    expect(counter.attempts).toBe(4);
    expect(counter.done.size).toBe(1);
  });

  it('keeps its id after it was given up, and gets a new id after an answer', async () => {
    const once = new Once();
    const counter = new Counter((attempt) => attempt <= 4);
    await expect(ask(once, 'undo 7', counter)).rejects.toMatchObject({ code: 'offline' });
    expect(await ask(once, 'undo 7', counter)).toBe(1);
    expect(await ask(once, 'undo 7', counter)).toBe(2);
    expect(await ask(once, 'undo 9', counter)).toBe(3);
    expect(counter.attempts).toBe(4 + 3);
  });

  it('is not repeated after a refusal', async () => {
    let attempts = 0;
    const refuse = async () => {
      attempts += 1;
      throw new Problem('nothing-to-undo', '', 409);
    };
    await expect(new Once().send('undo 7', refuse, undefined, AT_ONCE)).rejects.toMatchObject({
      status: 409
    });
    expect(attempts).toBe(1);
  });
});
