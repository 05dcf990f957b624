// Tests panels of the progress page: their texts and the keyboard focus after changes, failed requests and late
// responses.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import DaysOff from '$lib/people/DaysOff.svelte';
import EmailAddress from '$lib/people/EmailAddress.svelte';
import Favourites from '$lib/people/Favourites.svelte';
import Ignored from '$lib/people/Ignored.svelte';
import { noteAccount } from '$lib/people/known.svelte';
import Measures from '$lib/people/Measures.svelte';
import PushSwitch from '$lib/people/PushSwitch.svelte';
import TurnFeed from '$lib/people/TurnFeed.svelte';
import Visibility from '$lib/people/Visibility.svelte';
import YourAccount from '$lib/people/YourAccount.svelte';
import RatedChoice from '$lib/ratings/RatedChoice.svelte';
import EraseButton from '$lib/ui/EraseButton.svelte';

const api = vi.hoisted(() => ({
  turnFeed: vi.fn(),
  makeTurnFeed: vi.fn(),
  revokeTurnFeed: vi.fn(),
  daysOff: vi.fn(),
  setDaysOff: vi.fn(),
  myAccount: vi.fn(),
  myMeasures: vi.fn(),
  ownAccount: vi.fn(),
  hasOthers: vi.fn(),
  makeAccount: vi.fn(),
  setHandle: vi.fn(),
  becomeBot: vi.fn(),
  myPasskeys: vi.fn(),
  myBotTokens: vi.fn(),
  privacyFacts: vi.fn(),
  pushState: vi.fn(),
  myFavourites: vi.fn(),
  setFavourite: vi.fn(),
  ownMail: vi.fn(),
  removeMail: vi.fn(),
  myIgnored: vi.fn(),
  heed: vi.fn(),
  myVisibility: vi.fn(),
  setVisibility: vi.fn(),
  erase: vi.fn()
}));
vi.mock('$lib/api/api', () => api);
vi.mock('$lib/api/playersettings', () => api);

beforeEach(() => {
  vi.resetAllMocks();
  api.revokeTurnFeed.mockResolvedValue(null);
});
afterEach(cleanup);

const shown = () => screen.getAllByRole<HTMLInputElement>('textbox').map(({ value }) => value);

it('offers no new address for the turns before the server has told of an existing one', async () => {
  api.turnFeed.mockRejectedValueOnce(new Problem('offline', ''));
  api.turnFeed.mockResolvedValue('/feeds/secret');
  render(TurnFeed);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByTestId('feed-make')).toBeNull();
  await fireEvent.click(retry);
  expect((await screen.findByTestId('feed-make')).textContent).toBe('Replace the address');
  expect(shown()[0]).toContain('/feeds/secret/turns.atom');
  expect(api.makeTurnFeed).not.toHaveBeenCalled();
});

it('reads the address of the turns again after a change of the account', async () => {
  api.turnFeed.mockResolvedValueOnce('/feeds/secret').mockResolvedValue(null);
  const { rerender } = render(TurnFeed, { changes: 0 });
  await screen.findByTestId('feed-revoke');
  await rerender({ changes: 1 });
  await vi.waitFor(() => expect(screen.getByTestId('feed-make').textContent).toBe('Make an address'));
  expect(screen.queryByTestId('feed-revoke')).toBeNull();
  expect(api.turnFeed).toHaveBeenCalledTimes(2);
});

it('says that the address is revoked, and leaves the focus at the heading', async () => {
  api.turnFeed.mockResolvedValue('/feeds/secret');
  render(TurnFeed);
  const revoke = await screen.findByTestId('feed-revoke');
  revoke.focus();
  await fireEvent.click(revoke);
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
  expect(screen.getByTestId('feed-said').textContent).toContain('revoked');
});

it('keeps the focus in the days off, and offers to read them again', async () => {
  const days = { days: 28, days_left: 28 };
  api.daysOff.mockRejectedValueOnce(new Problem('offline', ''));
  api.daysOff.mockResolvedValue(days);
  api.setDaysOff.mockResolvedValue({ ...days, days_left: 27, away_until: '2026-12-20T12:00:00Z' });
  render(DaysOff);
  await fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  const away = await screen.findByTestId('away');
  away.focus();
  await fireEvent.click(away);
  await screen.findByTestId('back');
  await vi.waitFor(() => expect(document.activeElement?.tagName).toBe('H2'));
  expect(screen.getByRole('status').textContent).toContain('27 of 28');
});

it('warns with a condition while nobody knows of other browsers, and not at all without others', async () => {
  api.ownAccount.mockResolvedValue({ account: null, relying_party: null });
  let answer: (others: boolean | null) => void = () => {};
  api.hasOthers.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  render(YourAccount);
  const make = await screen.findByTestId('make-account');
  for (const [others, text] of [
    [true, /^Your other browsers are signed out/],
    [null, /^If other browsers share your matches/],
    [false, null]
  ] as const) {
    await fireEvent.click(make);
    const warning = await screen.findByTestId('signs-out');
    expect(warning.textContent).toMatch(/^If other browsers/);
    answer(others);
    await vi.waitFor(() => {
      const shown = screen.queryByTestId('signs-out')?.textContent ?? null;
      if (text) expect(shown).toMatch(text);
      else expect(shown).toBeNull();
    });
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  }
});

/** Account of the test player Anna, in the JSON form of the server. */
const ANNA = {
  bot: false,
  handle: 'Anna',
  handle_changeable_at: '2026-01-01T00:00:00Z',
  made_at: '2026-01-01T00:00:00Z',
  password: true,
  private: false
};

it('begins in the first field of the form, and has the focus at the heading after the account is made', async () => {
  api.ownAccount.mockResolvedValue({ account: null, relying_party: null });
  api.myPasskeys.mockResolvedValue([]);
  api.makeAccount.mockResolvedValue(ANNA);
  render(YourAccount);
  const make = await screen.findByTestId('make-account');
  make.focus();
  await fireEvent.click(make);
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Handle')));
  await fireEvent.submit(screen.getByTestId('send-account').closest('form')!);
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('account'));
  expect(screen.getByTestId('account-said').textContent).toBe('You now have an account.');
  await fireEvent.click(screen.getByTestId('become-bot'));
  expect(screen.getByTestId('account-said').textContent).toBe('');
});

it('says that the handle is new only if it is', async () => {
  api.ownAccount.mockResolvedValue({ account: ANNA, relying_party: null });
  api.myPasskeys.mockResolvedValue([]);
  api.privacyFacts.mockResolvedValue({ former_handle_days: 365, handle_change_days: 30 });
  render(YourAccount);
  for (const [handle, said] of [
    ['Anna', ''],
    ['Vera', 'You have a new handle.']
  ] as const) {
    api.setHandle.mockResolvedValue({ ...ANNA, handle });
    await fireEvent.click(await screen.findByTestId('set-handle'));
    await fireEvent.submit((await screen.findByTestId('send-account')).closest('form')!);
    await vi.waitFor(() => expect(screen.queryByTestId('send-account')).toBeNull());
    expect(screen.getByTestId('account-said').textContent).toBe(said);
  }
});

it('offers a rated match to an account of a person, and not to a bot', async () => {
  for (const [account, offered] of [
    [ANNA, true],
    [{ ...ANNA, bot: true }, false],
    [null, false]
  ] as const) {
    const answer = Promise.resolve(account);
    api.myAccount.mockReturnValue(answer);
    const { unmount } = render(RatedChoice, { possible: true });
    await answer;
    await tick();
    expect(screen.queryByTestId('rated') !== null).toBe(offered);
    unmount();
  }
});

it('lists a muted and blocked player once, and ends both', async () => {
  const at = '2026-01-01T00:00:00Z';
  api.myIgnored.mockResolvedValueOnce([
    { id: '1', kind: 'mute', at, handle: 'Bea' },
    { id: '2', kind: 'mute', at, handle: null },
    { id: '3', kind: 'block', at, handle: 'Bea' }
  ]);
  api.myIgnored.mockResolvedValue([]);
  render(Ignored);
  const rows = await screen.findAllByTestId('ignored-person');
  expect(rows).toHaveLength(2);
  expect(rows[0]?.textContent).toMatch(/Bea.*muted on .*, blocked on /s);
  expect(rows[1]?.textContent).toContain('A player without a public profile');
  await fireEvent.click(screen.getByRole('button', { name: 'Undo: Bea' }));
  await vi.waitFor(() =>
    expect(screen.getByTestId('ignored-said').textContent).toContain('Bea is off the list')
  );
  expect(api.heed.mock.calls).toEqual([['1'], ['3']]);
});

describe('a change after which the read fails', () => {
  const offline = new Problem('offline', '');
  const read = vi.fn();

  it.each([
    [
      'the end of a mute',
      () => {
        api.myIgnored.mockImplementation(read);
        read.mockResolvedValueOnce([{ id: '1', kind: 'mute', at: '2026-01-01T00:00:00Z', handle: 'Bea' }]);
        render(Ignored);
      },
      async () => (await screen.findByRole('button', { name: 'Undo: Bea' })).click(),
      /Bea is off the list/
    ],
    [
      'the removal of a favourite',
      () => {
        api.myFavourites.mockImplementation(read);
        read.mockResolvedValueOnce([{ handle: 'Bea', bot: false, mutual: false, profile: false }]);
        render(Favourites);
      },
      async () => (await screen.findByRole('button', { name: /Bea/ })).click(),
      /Bea is no longer one of your favourites/
    ],
    [
      'the removal of an e-mail address',
      () => {
        api.ownMail.mockImplementation(read);
        const address = { address: 'bea@example.org', recovery: true, refusals: 0, turns: false };
        read.mockResolvedValueOnce({ address, available: true, pending: null });
        render(EmailAddress, { account: ANNA });
      },
      async () => {
        (await screen.findByTestId('remove-mail')).click();
        await fireEvent.submit((await screen.findByTestId('send-mail')).closest('form')!);
      },
      /The address is removed/
    ]
  ])('is shown as done: %s', async (_change, show, change, said) => {
    read.mockReset();
    show();
    read.mockRejectedValueOnce(offline);
    read.mockImplementationOnce(() => new Promise(() => {}));
    await change();
    await screen.findByText(said);
    const retry = await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/^bea/i, { ignore: '[role=status]' })).toBeNull();
    expect(screen.queryByTestId('send-mail')).toBeNull();
    await fireEvent.click(retry);
    expect(read).toHaveBeenCalledTimes(3);
    expect(screen.queryByTestId('problem')).toBeNull();
  });
});

it('returns the visibility to the state of the server after a failure, and keeps the focus', async () => {
  api.myVisibility.mockResolvedValue({ watching: 'delayed', presence: 'nobody', delay: 4 });
  api.setVisibility.mockRejectedValue(new Problem('offline', ''));
  render(Visibility);
  const watching = await screen.findByTestId<HTMLSelectElement>('visibility-watching');
  watching.focus();
  await fireEvent.change(watching, { target: { value: 'never' } });
  await vi.waitFor(() => expect(watching.value).toBe('delayed'));
  expect(document.activeElement).toBe(watching);
  const presence = screen.getByTestId<HTMLInputElement>('visibility-presence');
  presence.focus();
  await fireEvent.click(presence);
  await vi.waitFor(() => expect(api.setVisibility).toHaveBeenCalledTimes(2));
  await vi.waitFor(() => expect(presence.checked).toBe(false));
  expect(document.activeElement).toBe(presence);
});

it('opens a confirmation again without the problem of the last request', async () => {
  api.erase.mockRejectedValue(new Problem('internal', '', 500));
  render(EraseButton);
  await fireEvent.click(screen.getByTestId('erase'));
  await fireEvent.click(screen.getByTestId('erase-yes'));
  await screen.findByTestId('problem');
  await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await fireEvent.click(screen.getByTestId('erase'));
  expect(screen.getByTestId('erase-yes')).toBeTruthy();
  expect(screen.queryByTestId('problem')).toBeNull();
});

it('asks for measures as soon as the browser has an account', async () => {
  api.myMeasures.mockResolvedValue({ warning: { text: 'Be kind', at: 1 }, closed: false, muted_until: null });
  render(Measures, { own: false });
  await tick();
  expect(api.myMeasures).not.toHaveBeenCalled();
  noteAccount(true);
  expect((await screen.findByTestId('warning')).textContent).toContain('Be kind');
  expect(api.myMeasures).toHaveBeenCalledOnce();
  noteAccount(false);
});

it('ends the wait for a service worker that is never installed', async () => {
  vi.useFakeTimers();
  const register = vi.fn(() => Promise.resolve({}));
  const serviceWorker = { register, ready: new Promise(() => {}), getRegistration: () => Promise.resolve() };
  vi.stubGlobal('navigator', { serviceWorker });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    permission: 'granted',
    requestPermission: () => Promise.resolve('granted')
  });
  api.pushState.mockResolvedValue({ key: 'key', subscribed: false });
  try {
    render(PushSwitch);
    await vi.advanceTimersByTimeAsync(0);
    const button = screen.getByTestId('push-switch');
    button.click();
    await vi.advanceTimersByTimeAsync(0);
    expect(register).toHaveBeenCalledOnce();
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(button.getAttribute('aria-disabled')).toBe('false');
    expect(screen.getByTestId('push-state').textContent).toMatch(/could not set up notifications/);
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});
