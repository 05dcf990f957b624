// Tests the polls of the tournament events that the player has joined.
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventView, SeenEvent } from '$lib/api/types';
import { OwnEvents } from '$lib/events/own.svelte';

const api = vi.hoisted(() => ({ readEvent: vi.fn() }));
vi.mock('$lib/api/api', () => api);

const you = { host: false, match: 'm', number: 1, present: true };

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

it('A running event is read every 15 seconds, although each answer is new', async () => {
  let version = 0;
  api.readEvent.mockImplementation(() => {
    const event = { id: 'e', state: 'running' } as EventView['event'];
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

it('A coming event is read every 30 seconds, so that an early start is noticed', async () => {
  const starts_at = new Date(Date.now() + 3_600_000).toISOString();
  let state: EventView['event']['state'] = 'coming';
  api.readEvent.mockImplementation(() => {
    const event = { id: 'e', state, starts_at } as EventView['event'];
    const shown = { event, version: 1 } as EventView;
    return Promise.resolve({ shown, you: { ...you, match: state === 'running' ? 'm' : null } } as SeenEvent);
  });
  const own = new OwnEvents();
  own.follow([{ result: null, shared_deal: 'event-e' }]);
  const stop = own.watch();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(api.readEvent).toHaveBeenCalledTimes(2);
  state = 'running';
  await vi.advanceTimersByTimeAsync(2000);
  expect(own.begun).toHaveLength(1);
  stop();
});
