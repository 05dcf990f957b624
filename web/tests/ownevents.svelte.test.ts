// Tests the polls of the tournament events that the player has joined.
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventView, SeenEvent } from '$lib/api/types';
import { OwnEvents } from '$lib/events/own.svelte';

const api = vi.hoisted(() => ({ readEvent: vi.fn() }));
vi.mock('$lib/api/api', () => api);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('A running event is read every 15 seconds, although each answer is new', async () => {
  let version = 0;
  api.readEvent.mockImplementation(() => {
    const event = { id: 'e', state: 'running' } as EventView['event'];
    const you = { host: false, match: 'm', number: 1, present: true };
    return Promise.resolve({ shown: { event, version: ++version } as EventView, you } satisfies SeenEvent);
  });
  const own = new OwnEvents();
  own.follow([{ result: null, shared_deal: 'event-e' }]);
  const stop = $effect.root(() => {
    $effect(() => (own.ids ? own.watch() : undefined));
  });
  flushSync();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(api.readEvent).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(api.readEvent).toHaveBeenCalledTimes(3);
  stop();
});
