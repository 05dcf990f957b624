// Tests that a lost response to the start of a practice match does not begin a second match.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import type { NewMatch } from '$lib/api/types';
import DealCard from '$lib/daily/DealCard.svelte';

const createMatch = vi.hoisted(() => vi.fn());
const goto = vi.hoisted(() => vi.fn());
vi.mock('$lib/api/api', () => ({ createMatch }));
vi.mock('$app/navigation', () => ({ goto }));

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('A practice match whose response is lost is requested again by the same idempotency key', async () => {
  const deal = {
    name: '2026-11-20',
    rules: 'bga',
    rules_title: '',
    deal: '20010',
    match: null,
    lost: null,
    state: 'resigned'
  } as const;
  render(DealCard, { deal });
  const press = async () => {
    await fireEvent.click(screen.getByRole('button', { name: 'Play it again as practice' }));
    await vi.advanceTimersByTimeAsync(60_000);
  };
  createMatch.mockRejectedValue(new Problem('offline', 'Failed to fetch'));
  await press();
  expect(goto).not.toHaveBeenCalled();
  createMatch.mockResolvedValue({ id: 'there' });
  await press();
  expect(goto).toHaveBeenCalledWith('/match/there');
  const keys = createMatch.mock.calls.map(([match]) => (match as NewMatch).client_id);
  expect(keys.length).toBeGreaterThan(2);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toBeTruthy();
});
