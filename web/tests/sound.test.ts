// Tests that no sound plays before the first user interaction with the page.
import { afterEach, expect, test, vi } from 'vitest';
import { change } from '$lib/settings.svelte';
import { sound } from '$lib/table/sound';

afterEach(() => vi.unstubAllGlobals());

test('sounds before the first touch are omitted, and sounds after the touch are heard', () => {
  let started = 0;
  const parameter = { setValueAtTime: vi.fn(), exponentialRampToValueAtTime: vi.fn() };
  class Node {
    frequency = parameter;
    gain = parameter;
    connect = (next: unknown) => next;
    start = () => (started += 1);
    stop = vi.fn();
  }
  class Context {
    state = 'running';
    currentTime = 0;
    destination = {};
  }
  const userActivation = { hasBeenActive: false };
  vi.stubGlobal('AudioContext', Context);
  vi.stubGlobal('OscillatorNode', Node);
  vi.stubGlobal('GainNode', Node);
  vi.stubGlobal('navigator', { userActivation });
  change({ sound: true });
  sound('lead');
  expect(started).toBe(0);
  userActivation.hasBeenActive = true;
  sound('lead');
  expect(started).toBe(2);
});
