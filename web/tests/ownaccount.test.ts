// Tests that a late response to the request for the account does not undo a sign-in in another tab.
import { afterEach, expect, it, vi } from 'vitest';
import { HasAccount } from '$lib/people/hasaccount.svelte';
import { hadAccount } from '$lib/people/known.svelte';

afterEach(() => vi.unstubAllGlobals());

it('A sign-in in another tab outlasts an earlier request for the account, which is then repeated', async () => {
  const answers: ((account: object | null) => void)[] = [];
  const fetch = () =>
    new Promise<Response>((resolve) =>
      answers.push((account) => resolve(Response.json({ account, relying_party: '', mail: false })))
    );
  vi.stubGlobal('fetch', fetch);
  const account = new HasAccount();
  account.ask();
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  localStorage.setItem('overmate.account', 'yes');
  dispatchEvent(new StorageEvent('storage', { key: 'overmate.account' }));
  account.ask();
  answers[0]?.(null);
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  expect([hadAccount(), localStorage.getItem('overmate.account')]).toEqual([true, 'yes']);
  answers[1]?.({ handle: 'anna', bot: false });
  await vi.waitFor(() => expect(account.known).toBe(true));
  account.ask();
  expect(answers).toHaveLength(2);
});
