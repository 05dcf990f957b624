// Tests that a player can mute, block and report an opponent, and that a warned player reads the operators' warning.
import { signUp } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';
import type { BrowserContext } from '@playwright/test';

/**
 * Creates accounts for the players of two browsers, and a match between the two players. Returns the handles and the
 * id of the match.
 */
async function begin(context: BrowserContext, friend: BrowserContext) {
  const [ada, bea] = [await signUp(context, 'Adele'), await signUp(friend, 'Berta')];
  const made = await context.request.post('/api/v1/matches', {
    data: { rules: 'bga', opponent: { kind: 'friend' }, lead: 'me', names: { me: ada } }
  });
  expect(made.ok(), await made.text()).toBe(true);
  const { id, invitation } = (await made.json()) as { id: string; invitation: string };
  const joined = await friend.request.post(`/api/v1${invitation.replace('/join/', '/invitations/')}`, {
    data: { name: bea }
  });
  expect(joined.ok(), await joined.text()).toBe(true);
  for (const browser of [context, friend]) {
    const added = await browser.request.put(`/api/v1/matches/${id}/favourite`, { data: {} });
    expect(added.ok(), await added.text()).toBe(true);
  }
  return { ada, bea, id };
}

test('a player mutes, reports and blocks the opponent at the table, and undoes it on the own page', async ({
  page,
  context,
  somebody
}) => {
  const friend = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 640 } });
  const { bea, id } = await begin(context, friend);
  const sent = await friend.request.post(`/api/v1/matches/${id}/talk`, {
    data: { text: 'bad words', client_id: crypto.randomUUID() }
  });
  expect(sent.ok(), await sent.text()).toBe(true);

  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/match/${id}`);
  await page.getByTestId('open-phrases').click();
  await expect(page.getByTestId('talk-line')).toHaveText(/bad words/);
  // A mute that is switched on by keyboard hides the opponent's message. The end of the mute shows the
  // message again.
  const mute = page.getByTestId('mute');
  await focusOn(mute);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('ignore-said')).toContainText(`You see no messages and phrases of ${bea}`);
  await expect(page.getByTestId('talk-line')).toHaveCount(0);
  await expect(mute).toHaveText('End the mute');
  await mute.click();
  await expect(page.getByTestId('talk-line')).toHaveCount(1);

  await page.getByTestId('report').click();
  await page.getByTestId('report-reason').selectOption('insults');
  await page.getByTestId('report-text').fill('see the message');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByTestId('send-report').click();
  await expect(page.getByTestId('report-form')).toHaveCount(0);
  await expect(page.getByTestId('report-said')).toHaveText('Your report is sent.');

  // The block button asks for confirmation before it blocks the opponent. After a cancelled question, the
  // keyboard focus returns to the block button.
  const block = page.getByTestId('block');
  await focusOn(block);
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: `Block ${bea}?` });
  await expect(question).toContainText('can then neither challenge you');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(block).toBeFocused();
  await expect(block).toHaveText('Block');
  await block.click();
  await page.getByTestId('block-yes').click();
  await expect(question).toBeHidden();
  await expect(page.getByTestId('ignore-said')).toContainText('can neither challenge you');
  await expect(page.getByTestId('mute')).toHaveCount(0);
  await expect(page.getByTestId('talk-text')).toHaveCount(0);

  // The page of the match does not tell the blocked player that their opponent has blocked them.
  const guest = await friend.newPage();
  await guest.goto(`/match/${id}`);
  await guest.getByTestId('open-phrases').click();
  await expect(guest.getByTestId('mute')).toHaveText('Stumm schalten');
  await expect(guest.getByTestId('block')).toHaveText('Blockieren');
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await page.goto('/me');
  const row = page.getByTestId('ignored').getByTestId('ignored-person');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('blocked on');
  await row.getByRole('button').click();
  await expect(row).toHaveCount(0);
  await expect(page.getByTestId('ignored-said')).toContainText('Done.');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('a warning of the operators stays on every page until the player confirms it', async ({
  page,
  context,
  server
}) => {
  const handle = `Carla-${String(Date.now() % 1_000_000)}`;
  const made = await context.request.post('/api/v1/me/account', {
    data: { handle, password: 'correct horse battery' }
  });
  expect(made.ok(), await made.text()).toBe(true);
  const reason = ['--reason', 'a test'];
  server.admin(['warn', `@${handle}`, 'Stay polite.', ...reason]);
  server.admin(['mute', `@${handle}`, '--days', '3', ...reason]);
  server.admin(['close', `@${handle}`, ...reason]);
  await page.goto('/me');
  await expect(page.getByTestId('warning')).toContainText('Stay polite.');
  await expect(page.getByTestId('account-closed')).toBeVisible();
  await expect(page.getByTestId('muted')).toBeVisible();
  // The test waits until the page shows the account's favourites. From then on, the browser knows that its player has
  // an account, and every page requests the warnings of the account.
  await expect(page.getByTestId('favourites')).toBeVisible();
  await page.goto('/guide');
  await expect(page.getByTestId('warning')).toContainText('Stay polite.');
  await expect(page.getByTestId('account-closed')).toHaveCount(0);
  await focusOn(page.getByTestId('confirm-warning'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('warning')).toHaveCount(0);
  await expect(page.locator('#content')).toBeFocused();
  await page.goto('/me');
  await expect(page.getByTestId('account-closed')).toBeVisible();
  await expect(page.getByTestId('warning')).toHaveCount(0);
});
