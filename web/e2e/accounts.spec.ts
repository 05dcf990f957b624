// Tests accounts: creation, sign-in in a second browser by keyboard and in German, and changes of handle and
// password.
import { act, newMatch } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';

const PASSWORD = 'correct horse battery';

test('an account takes the matches to a phone in German, by keyboard', async ({
  page,
  context,
  somebody,
  watch
}) => {
  watch.allow(/status of 40[0139]/);
  const begun = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  const match = await act(context, begun, begun.current.legal[0]?.action ?? '');
  // When a player makes an account, the server signs out their other browsers, and the page announces this.
  const earlier = await (await somebody()).newPage();
  const link = await context.request.post('/api/v1/me/codes', { data: { kind: 'link' } });
  await earlier.goto(`/device#${((await link.json()) as { codes: string[] }).codes[0] ?? ''}`);
  await earlier.getByTestId('add').click();
  await expect(earlier.getByTestId('added')).toBeVisible();
  await earlier.goto('/sign-in');
  await expect(earlier.getByTestId('signs-out')).toBeVisible();
  await page.goto('/me');
  await focusOn(page.getByTestId('make-account'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('signs-out')).toContainText('Your other browsers are signed out');
  const dialog = page.getByRole('dialog', { name: 'Make an account' });
  await expect(dialog.getByLabel('Handle')).toBeFocused();
  await expect(dialog).toHaveAccessibleDescription(/belongs to the account\..*other browsers are signed out/);
  await dialog.getByLabel('Handle').fill('Anna-1');
  await dialog.getByLabel('Password', { exact: true }).fill('anna-1 is my name');
  await page.keyboard.press('Enter');
  await expect(dialog.getByTestId('problem')).toHaveAttribute('data-code', 'password-weak');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('handle')).toContainText('Your handle is Anna-1.');
  await expect(page.getByTestId('account-said')).toHaveText('You now have an account.');
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeFocused();
  await expect(page.getByTestId('browser')).toHaveCount(1);
  await earlier.goto('/me');
  await expect(earlier.getByTestId('make-account')).toBeVisible();
  await expect(earlier.getByTestId('browser')).toHaveCount(0);

  const phone = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const other = await phone.newPage();
  await other.goto('/me');
  await other.getByTestId('account').getByRole('link', { name: 'Anmelden' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Anmelden');
  await other.getByLabel('Kontoname').fill('anna-l');
  await other.getByLabel('Passwort', { exact: true }).fill('wrong horse battery');
  await other.keyboard.press('Enter');
  await expect(other.getByTestId('problem')).toHaveAttribute('data-code', 'sign-in-refused');
  await other.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await other.keyboard.press('Enter');
  await expect(other.getByTestId('signed-in')).toBeFocused();
  await expect(other.getByTestId('signed-in')).toContainText('Du bist als Anna-1 angemeldet.');
  await other.getByRole('link', { name: 'Zu deinen Partien' }).click();
  await expect(other.locator(`a[href="/match/${match.id}"]`).first()).toBeVisible();
  await other.goto('/me');
  await expect(other.getByTestId('handle')).toContainText('Anna-1');
  await expect(other.getByTestId('browser')).toHaveCount(2);
  await expect(other.locator('a[href="/device"]')).toHaveCount(0);
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await other.goto('/sign-in');
  await expect(other.getByTestId('already')).toContainText('Du bist als Anna-1 angemeldet.');
  await expect(other.getByTestId('sign-in')).toHaveCount(0);

  // The server refuses a handle that looks like the handle of another account.
  const third = await (await somebody()).newPage();
  await third.goto('/me');
  await third.getByTestId('make-account').click();
  await third.getByLabel('Handle').fill('ANNA-l');
  await third.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await third.getByTestId('send-account').click();
  await expect(third.getByTestId('problem')).toHaveAttribute('data-code', 'handle-taken');

  // The player signs in to the account in their other browser, which the server signed out when the account was
  // created. The first attempt succeeds.
  await earlier.goto('/sign-in');
  await earlier.getByLabel('Handle').fill('Anna-1');
  await earlier.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await earlier.keyboard.press('Enter');
  await expect(earlier.getByTestId('signed-in')).toBeVisible();
  await expect(earlier.getByTestId('signed-out')).toHaveCount(0);
});

test('a handle and a password are changed, and the old password opens nothing', async ({
  page,
  context,
  somebody,
  watch
}) => {
  watch.allow(/status of 403/);
  await page.goto('/me');
  // Making an account and changing its password each revoke the secret address of the feed that lists the player's
  // turns.
  const feed = page.getByTestId('turn-feed');
  const makeFeed = async () => {
    await page.getByTestId('feed-make').click();
    await expect(feed.getByRole('textbox')).toHaveCount(2);
    await expect(page.getByTestId('feed-said')).toHaveText('The address is made.');
  };
  await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  await makeFeed();
  await page.getByTestId('make-account').click();
  await page.getByRole('textbox', { name: 'Handle' }).fill('Berta');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByTestId('send-account').click();
  await expect(page.getByTestId('feed-make')).toHaveText('Make an address');
  await makeFeed();
  await page.getByTestId('set-handle').click();
  await page.getByRole('textbox', { name: 'Handle' }).fill('Vera');
  await page.getByTestId('send-account').click();
  await expect(page.getByTestId('handle')).toContainText('Vera');
  await expect(page.getByTestId('set-handle')).toHaveCount(0);
  // A new password signs out the second browser of the account, and the dialog announces this sign-out.
  const phone = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const second = await phone.newPage();
  const signedIn = await phone.request.post('/api/v1/me/sign-in', {
    data: { handle: 'Vera', password: PASSWORD }
  });
  expect(signedIn.status()).toBe(200);
  await second.goto('/me');
  await expect(second.getByTestId('handle')).toContainText('Vera');
  await second.getByTestId('set-password').click();
  await expect(second.getByTestId('password-text')).toContainText('Deine anderen Browser werden abgemeldet');
  expect(await second.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.reload();
  await expect(page.getByTestId('browser')).toHaveCount(2);
  await page.getByTestId('set-password').click();
  await expect(page.getByTestId('password-text')).toContainText('Your other browsers are signed out');
  await expect(page.getByLabel('Present password')).toBeFocused();
  await page.getByLabel('Present password').fill(PASSWORD);
  await page.getByLabel('New password').fill('battery horse correct');
  await page.getByTestId('send-account').click();
  await expect(page.getByTestId('account-said')).toContainText('You have a new password.');
  await expect(page.getByTestId('feed-make')).toHaveText('Make an address');
  await expect(page.getByTestId('browser')).toHaveCount(1);
  await second.goto('/me');
  await expect(second.getByTestId('make-account')).toBeVisible();

  const other = await (await somebody()).newPage();
  await other.goto('/sign-in');
  await other.getByLabel('Handle').fill('Vera');
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByTestId('sign-in').click();
  await expect(other.getByTestId('problem')).toHaveAttribute('data-code', 'sign-in-refused');
  await other.getByLabel('Password', { exact: true }).fill('battery horse correct');
  await other.getByTestId('sign-in').click();
  await expect(other.getByTestId('signed-in')).toBeVisible();

  // The dialog of a sign-out explains how the browser can sign in again.
  await other.goto('/me');
  const own = other.getByTestId('browser').filter({ hasText: 'This browser' });
  await own.getByRole('button').click();
  await expect(other.getByRole('dialog')).toContainText('With your handle and your password');
});

test('a server without e-mail names the other ways after a forgotten password at once', async ({ page }) => {
  await page.goto('/recover');
  await expect(page.getByTestId('no-mail')).toContainText('Sign in with a recovery code or a passkey');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await page.getByRole('link', { name: 'I have a code instead' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add this browser');
});
