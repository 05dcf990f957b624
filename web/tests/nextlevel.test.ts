// Tests that a match against a computer opponent of the next level opens only if the player is still on the page of the
// won match.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MatchState, MatchSummary } from '$lib/api/types';
import type { LiveMatch } from '$lib/game/live.svelte';
import NextLevel from '$lib/table/NextLevel.svelte';
import { overmated } from './fixtures';

const goto = vi.hoisted(() => vi.fn());
vi.mock('$app/navigation', () => ({ goto }));

const you = { kind: 'you', name: null, level: null, bot: false } as const;
const match = {
  ...overmated.match,
  id: 'won',
  you: 'a',
  players: { a: you, b: { ...you, kind: 'level', level: 3 } },
  result: { winner: 'a' }
} as unknown as MatchState;
const won = (id: string, day: number) =>
  ({ ...match, id, created_at: `2026-11-${day}T12:00:00Z` }) as unknown as MatchSummary;

let respond = () => {};
const begun = new Promise((resolve) => (respond = () => resolve({ id: 'next' })));
const live = {
  keeper: { list: () => Promise.resolve([won('won', 21), won('before', 20)]), begin: vi.fn() },
  once: () => begun
} as unknown as LiveMatch;

beforeEach(() => history.replaceState(null, '', '/match/won'));
afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

it('leaves a player on the page to which they have gone, and opens the match otherwise', async () => {
  render(NextLevel, { live, match });
  await fireEvent.click(await screen.findByTestId('next-level'));
  history.replaceState(null, '', '/rules');
  respond();
  await begun;
  await new Promise((resolve) => setTimeout(resolve));
  expect(goto).not.toHaveBeenCalled();
  history.replaceState(null, '', '/match/won');
  await fireEvent.click(screen.getByTestId('next-level'));
  await vi.waitFor(() => expect(goto).toHaveBeenCalledWith('/match/next'));
});
