// Tests bot accounts: an account becomes a bot, which accepts and makes match offers with its access token.
import { focusOn } from './support/focus';
import { expect, test } from './support/test';

const PASSWORD = 'correct horse battery';

test('an account becomes a bot, whose token accepts an offer, by keyboard', async ({
  page,
  context,
  request,
  somebody,
  watch
}) => {
  watch.allow(/status of 40[39]/);
  const made = await context.request.post('/api/v1/me/account', {
    data: { handle: 'Robot-7', password: PASSWORD }
  });
  expect(made.status()).toBe(201);
  await page.goto('/me');
  await page.getByTestId('bots').locator('summary').click();
  await focusOn(page.getByTestId('become-bot'));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make Robot-7 a bot?' });
  await expect(dialog).toContainText('This cannot be undone.');
  await focusOn(page.getByTestId('send-become-bot'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('bot-said')).toHaveText('The account is a bot.');
  await expect(page.getByTestId('bots').locator('summary')).toBeFocused();
  await focusOn(page.getByTestId('make-token'));
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of the token').fill('laptop');
  await page.keyboard.press('Enter');
  const shown = page.getByTestId('token').getByRole('textbox');
  await expect(shown).toBeFocused();
  const token = await shown.inputValue();
  expect(token).toMatch(/^overmate_[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByTestId('bot-token')).toHaveCount(1);
  await page.reload();
  await expect(page.getByTestId('bot-token')).toContainText('laptop');
  await expect(page.getByText(token)).toHaveCount(0);

  // On a phone that is set to German, a person makes an offer that bots may also accept.
  const phone = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const other = await phone.newPage();
  await other.goto('/play');
  await other.getByText('Ein eigenes Angebot').click();
  await other.getByLabel('Auch Bots dürfen das Angebot annehmen').check();
  await other.getByTestId('make-offer').click();
  const headers = { Authorization: `Bearer ${token}` };
  const open = async () => {
    const lobby = await (await request.get('/api/v1/lobby', { headers })).json();
    const { offers } = lobby as { offers: { id: string; bots: boolean }[] };
    return offers.find(({ bots }) => bots)?.id ?? '';
  };
  await expect.poll(open).not.toBe('');
  const offer = await open();
  const accepted = await request.post(`/api/v1/offers/${offer}/accept`, {
    headers,
    data: { client_id: 'accept-of-robot' }
  });
  expect(accepted.status()).toBe(200);
  const { id } = (await accepted.json()) as { id: string };
  await other.goto(`/match/${id}`);
  await expect(other.getByRole('heading', { name: 'BOT Robot-7' })).toBeVisible();
  expect(await other.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await other.goto('/players/Robot-7');
  await expect(other.getByTestId('bot')).toContainText('BOT');

  // The bot makes an offer, which the list of offers marks as the offer of a bot. A quick offer does not accept this
  // offer.
  const robot = await request.post('/api/v1/offers', {
    headers,
    data: { rules: 'pagat', clock: { kind: 'days', days: 3 }, client_id: 'offer-of-robot' }
  });
  expect(robot.status()).toBe(201);
  const third = await (await somebody({ viewport: { width: 320, height: 568 } })).newPage();
  await third.goto('/play');
  // Other tests use the same server, so the name and the rule set identify the offer of this test.
  const row = third.getByTestId('offers').getByRole('listitem').filter({ hasText: 'BOT Robot-7' });
  await expect(row).toHaveCount(1);
  await third.getByTestId('lobby-rules').selectOption({ value: 'pagat' });
  await expect(third.getByText('1 waits')).toHaveCount(0);
  expect(await third.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await focusOn(row.getByTestId('accept'));
  await third.keyboard.press('Enter');
  await expect(third).toHaveURL(/\/match\//);
  await expect(third.getByRole('heading', { name: 'BOT Robot-7' })).toBeVisible();

  // A new password of the account removes all tokens of the bot.
  await page.getByTestId('set-password').click();
  await expect(page.getByTestId('password-text')).toContainText('all tokens of the bot are removed');
  await page.getByLabel('Present password').fill(PASSWORD);
  await page.getByLabel('New password').fill('battery horse correct');
  await page.getByTestId('send-account').click();
  await expect(page.getByTestId('account-said')).toContainText('the tokens of the bot are removed');
  await expect(page.getByTestId('bot-token')).toHaveCount(0);
  expect((await request.get('/api/v1/lobby', { headers })).status()).toBe(401);

  // A program whose token has been removed is refused.
  await page.getByTestId('make-token').click();
  await page.getByLabel('Name of the token').fill('laptop');
  await page.keyboard.press('Enter');
  headers.Authorization = `Bearer ${await page.getByTestId('token').getByRole('textbox').inputValue()}`;
  await page.getByRole('button', { name: 'I have copied it' }).click();
  expect((await request.get('/api/v1/lobby', { headers })).status()).toBe(200);
  await page.getByRole('button', { name: 'Remove: laptop' }).click();
  await page.getByTestId('remove-token').click();
  await expect(page.getByTestId('bot-token')).toHaveCount(0);
  expect((await request.get('/api/v1/lobby', { headers })).status()).toBe(401);
});
