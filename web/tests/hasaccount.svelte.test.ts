// Tests the request that asks the server whether this browser belongs to an account.
import { flushSync } from 'svelte';
import { expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import { HasAccount } from '$lib/people/hasaccount.svelte';

const api = vi.hoisted(() => ({ myAccount: vi.fn() }));
vi.mock('$lib/api/api', () => api);

it('An effect that asks runs once, and a failed question can be repeated until the answer is known', async () => {
  api.myAccount.mockRejectedValueOnce(new Problem('internal', '', 500)).mockResolvedValue({ bot: true });
  const account = new HasAccount();
  let runs = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      runs += 1;
      account.ask();
    });
  });
  flushSync();
  await vi.waitFor(() => expect(account.request.problem?.code).toBe('internal'));
  expect(account.known).toBeNull();
  account.ask();
  account.ask();
  await vi.waitFor(() => expect([account.known, account.isBot]).toEqual([true, true]));
  account.ask();
  flushSync();
  expect(account.request.problem).toBeNull();
  expect(api.myAccount).toHaveBeenCalledTimes(2);
  expect(runs).toBe(1);
  stop();
});

it('An effect that asks learns of a sign-in in another tab', async () => {
  api.myAccount.mockReset().mockResolvedValueOnce(null).mockResolvedValue({ bot: false });
  const account = new HasAccount();
  const stop = $effect.root(() => {
    $effect(account.ask);
  });
  flushSync();
  await vi.waitFor(() => expect(account.known).toBe(false));
  localStorage.setItem('overmate.account', 'yes');
  dispatchEvent(new StorageEvent('storage', { key: 'overmate.account' }));
  await vi.waitFor(() => expect(account.known).toBe(true));
  expect(api.myAccount).toHaveBeenCalledTimes(2);
  stop();
});
