// Tests passkeys with a virtual authenticator. An account is made with a passkey and no password, and signed
// in to without a handle. Passkeys are added to an account and removed.
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './support/test';

const PASSWORD = 'correct horse battery';

/**
 * Creates a page with a virtual authenticator that approves each request. The page has the host name `localhost`, for
 * which browsers permit passkeys without HTTPS.
 */
async function withAuthenticator(context: BrowserContext, server: { url: string }) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  });
  const site = server.url.replace('127.0.0.1', 'localhost');
  const refuse = (isRefused: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused });
  const held = async () =>
    (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
  return { page, site, refuse, held };
}

async function signOut(page: Page, site: string) {
  await page.goto(`${site}/me`);
  const own = page.getByTestId('browser').filter({ hasText: 'This browser' });
  await own.getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  // After the sign-out, the browser opens the start page.
  await page.waitForURL(`${site}/`);
}

test('an account with a passkey alone is entered without a name', async ({ context, server, watch }) => {
  watch.allow(/third party: \w+:\/\/localhost:/, /status of 40[39]/);
  const { page, site, refuse, held } = await withAuthenticator(context, server);
  await page.goto(`${site}/me`);
  await page.getByTestId('make-account').click();
  const dialog = page.getByRole('dialog', { name: 'Make an account' });
  await dialog.getByLabel('Handle').fill('Anna');
  // An authenticator that cannot check its user makes no passkey, and the page says so.
  await refuse(true);
  await dialog.getByTestId('make-with-passkey').click();
  await expect(dialog.getByTestId('problem')).toHaveAttribute('data-code', 'passkey-cancelled');
  await refuse(false);
  await dialog.getByTestId('make-with-passkey').click();
  await expect(page.getByTestId('handle')).toContainText('Your handle is Anna.');
  await expect(page.getByTestId('passkey')).toHaveCount(1);
  expect(await held()).toBe(1);

  // The server refuses to remove the account's last way to sign in.
  await page.getByTestId('passkey').getByRole('button').click();
  await page.getByTestId('remove-passkey').click();
  await expect(page.getByRole('dialog').getByTestId('problem')).toHaveAttribute('data-code', 'last-way-in');

  await signOut(page, site);
  await page.goto(`${site}/sign-in`);
  await page.getByTestId('sign-in-passkey').click();
  await expect(page.getByTestId('signed-in')).toBeVisible();
  await page.goto(`${site}/me`);
  await expect(page.getByTestId('handle')).toContainText('Anna');
  await expect(page.getByTestId('passkey')).toContainText('last used on');

  // Once the account has a password, the passkey can be removed.
  await page.getByTestId('set-password').click();
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByTestId('send-account').click();
  await expect(page.getByTestId('account-said')).toHaveText('Your account now has a password.');
  await page.getByTestId('passkey').getByRole('button').click();
  await page.getByTestId('remove-passkey').click();
  await expect(page.getByTestId('passkey-said')).toHaveText('The passkey is removed.');
  await expect(page.getByTestId('passkey')).toHaveCount(0);
  await signOut(page, site);
  await page.goto(`${site}/sign-in`);
  await page.getByTestId('sign-in-passkey').click();
  await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'passkey-refused');
});

test('a passkey is added to an account with a password, in German', async ({ somebody, server, watch }) => {
  watch.allow(/third party: \w+:\/\/localhost:/);
  const context = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const { page, site, held } = await withAuthenticator(context, server);
  await page.goto(`${site}/me`);
  await page.getByTestId('make-account').click();
  await page.getByLabel('Kontoname').fill('Bertha');
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.getByTestId('send-account').click();
  await page.getByTestId('add-passkey').click();
  await page.getByLabel('Name des Passkeys').fill('Telefon');
  await page.getByTestId('send-passkey').click();
  await expect(page.getByTestId('passkey-said')).toHaveText('Der Passkey ist hinzugefügt.');
  await expect(page.getByTestId('passkey')).toContainText('Telefon');
  expect(await held()).toBe(1);
  // A device that has a passkey of an account makes no second passkey for this account.
  await page.getByTestId('add-passkey').click();
  await page.getByTestId('send-passkey').click();
  await expect(page.getByRole('dialog').getByTestId('problem')).toHaveAttribute('data-code', 'passkey-known');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByTestId('passkey').getByRole('button').click();
  await page.getByTestId('remove-passkey').click();
  await expect(page.getByTestId('passkey')).toHaveCount(0);
});

test('a server without a public address offers no passkeys at another name than localhost', async ({
  page
}) => {
  await page.goto('/sign-in');
  await expect(page.getByTestId('sign-in')).toBeVisible();
  await expect(page.getByTestId('sign-in-passkey')).toHaveCount(0);
  await page.goto('/me');
  await page.getByTestId('make-account').click();
  await expect(page.getByTestId('send-account')).toBeVisible();
  await expect(page.getByTestId('make-with-passkey')).toHaveCount(0);
});
