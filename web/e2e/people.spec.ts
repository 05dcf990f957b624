// Tests how a second browser gets a player's matches: by a link, by a typed linking code, and by a recovery
// code. Browsers are also signed out.
import type { BrowserContext, Page } from '@playwright/test';
import { act, newMatch, type MatchState } from './support/api';
import { focusOn } from './support/focus';
import { Table } from './support/table';
import { expect, test } from './support/test';

/**
 * Begins a match in which one browser plays both sides, and plays one action. The start page lists only matches with
 * an action.
 */
async function begin(context: BrowserContext): Promise<MatchState> {
  const begun = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  return act(context, begun, begun.current.legal[0]?.action ?? '');
}

/**
 * Creates, on the progress page, a code that adds another browser to the player, and returns the code with its link.
 */
async function makeLink(page: Page): Promise<{ link: string; code: string }> {
  await page.goto('/me');
  await page.getByTestId('make-link').click();
  const dialog = page.getByRole('dialog', { name: 'Add another browser' });
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  const link = await dialog.locator('input[readonly]').inputValue();
  const code = (await page.getByTestId('typed-code').textContent()) ?? '';
  expect(link).toBe(`${new URL(page.url()).origin}/device#${code}`);
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  return { link, code };
}

test('a link takes the matches to a phone in German, and both browsers go on', async ({
  page,
  context,
  somebody
}) => {
  const match = await begin(context);
  await page.goto('/');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Take it with you' }).click();
  await expect(page.getByTestId('recovery')).toContainText('no recovery codes');
  await expect(page.getByTestId('browser')).toHaveCount(0);
  const { link } = await makeLink(page);

  const phone = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const own = await begin(phone);
  const other = await phone.newPage();
  await other.goto(link);
  // The linking code disappears from the address of the page.
  await expect(other).toHaveURL(/\/device$/);
  // While the browser shows the page for entering a linking code, it opens a link to the same page with another code.
  // The addresses differ only behind the `#`.
  await other.goto('/device#0000-0000-0000-0000');
  await expect(other.getByLabel('Code')).toHaveValue('0000-0000-0000-0000');
  await expect(other).toHaveURL(/\/device$/);
  await other.goto(link);
  await expect(other.getByLabel('Code')).toHaveValue(link.split('#')[1] ?? '');
  await expect(other).toHaveURL(/\/device$/);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Diesen Browser hinzufügen');
  await expect(other.getByTestId('own')).toContainText('Eine Partie');
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await other.getByTestId('add').click();
  await expect(other.getByTestId('added')).toBeVisible();
  await other.getByRole('link', { name: 'Zu deinen Partien' }).click();
  for (const { id } of [match, own]) {
    await expect(other.locator(`a[href="/match/${id}"]`).first()).toBeVisible();
  }
  // The linked phone continues the match that the player began in the first browser.
  await other.goto(`/match/${match.id}`);
  await Table.arrived(other);
  const seen = await act(phone, match, match.current.legal[0]?.action ?? '');
  await page.goto(`/match/${match.id}`);
  const table = await Table.arrived(page);
  expect((await table.state()).sequence).toBe(seen.sequence);

  await other.goto('/me');
  await expect(other.getByTestId('browser')).toHaveCount(2);
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('a recovery code is typed by keyboard, works once, and brings the matches back', async ({
  page,
  context,
  somebody,
  watch
}) => {
  watch.allow(/status of 40[134]/, /WebSocket .* response code: 404/);
  const match = await begin(context);
  // The test delays the response to the page's first request for the list of browsers until the page shows the recovery
  // codes. This late list must not replace the newer list.
  let arrive: (() => Promise<void>) | null = null;
  await page.route('/api/v1/me/browsers', async (route) => {
    if (arrive) return route.fallback();
    const response = await route.fetch();
    arrive = () => route.fulfill({ response });
  });
  await page.goto('/me');
  await expect.poll(() => arrive !== null).toBe(true);
  await focusOn(page.getByTestId('make-recovery'));
  await page.keyboard.press('Enter');
  const list = page.getByTestId('recovery-codes').locator('li');
  await expect(list).toHaveCount(10);
  await expect(page.getByTestId('recovery')).toContainText(': 10.');
  await arrive!();
  const codes = await list.allTextContents();
  const code = codes[6] ?? '';
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('make-recovery')).toBeFocused();
  await expect(page.getByTestId('recovery')).toContainText(/Unused recovery codes, made on .*: 10\./);

  const lost = await (await somebody()).newPage();
  await lost.goto('/device');
  await focusOn(lost.getByLabel('Code'));
  await lost.keyboard.type('0000-0000-0000-0000');
  await lost.keyboard.press('Enter');
  await expect(lost.getByTestId('problem')).toHaveAttribute('data-code', 'code-refused');
  // The page accepts a recovery code in lower case, with spaces in place of hyphens, and with the letter `o` in place
  // of the digit 0.
  await lost.getByLabel('Code').fill(code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o'));
  await lost.getByLabel('Code').press('Enter');
  await expect(lost.getByTestId('added')).toBeFocused();
  await expect(lost.getByTestId('left')).toHaveText('9 unused recovery codes are left.');
  await lost.goto('/');
  await expect(lost.locator(`a[href="/match/${match.id}"]`).first()).toBeVisible();

  const thief = await (await somebody()).newPage();
  await thief.goto('/device');
  await thief.getByLabel('Code').fill(code);
  await thief.getByTestId('add').click();
  await expect(thief.getByTestId('problem')).toContainText('not valid, has been used, or is too old');

  // In the browser that has used a recovery code, the player signs out the lost browser, which has a match open.
  await page.goto(`/match/${match.id}`);
  await Table.arrived(page);
  await lost.goto('/me');
  const former = lost.getByTestId('browser').filter({ hasNotText: 'This browser' });
  await focusOn(former.getByRole('button'));
  await lost.keyboard.press('Enter');
  await focusOn(lost.getByTestId('sign-out'));
  await lost.keyboard.press('Enter');
  await expect(lost.getByTestId('browser')).toHaveCount(0);
  await expect(lost.getByRole('heading', { name: 'Take it with you' })).toBeFocused();
  await expect(lost.getByRole('status').filter({ hasText: 'signed out' })).toHaveCount(1);
  await expect(page.getByRole('alert').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto(`/match/${match.id}`);
  await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'signed-out');
  await expect(page.getByTestId('problem').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await page.goto(`/match/${match.id}/review?game=0`);
  await expect(page.getByTestId('problem').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByTestId('signed-out')).toBeHidden();
  await page.goto('/');
  await expect(page.locator('a[href^="/match/"]')).toHaveCount(0);
  // The signed-out browser reports the sign-out once, before it makes recovery codes for a new and empty identity.
  await page.goto('/me');
  await page.getByTestId('make-recovery').click();
  await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'signed-out');
  await expect(page.getByTestId('signed-out')).toBeHidden();
  await page.getByRole('link', { name: 'Rules' }).first().click();
  await expect(page.getByTestId('signed-out')).toBeVisible();
  await page.goBack();
  await page.getByTestId('make-recovery').click();
  await expect(list).toHaveCount(10);
  await expect(page.getByTestId('signed-out')).toHaveCount(0);
});
