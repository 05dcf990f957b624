// Tests the page at an insecure address (plain HTTP and no loopback address), such as that of a server in a home
// network. Browsers lack some functions there, among them `crypto.randomUUID`.
import { expect, test } from './support/test';
import { Table } from './support/table';

const HOST = 'mate.home.arpa';

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`] })
});

test.beforeEach(async ({ page, server, watch }) => {
  // At an insecure address, browsers ignore the header `Cross-Origin-Opener-Policy`, and log a message about this.
  watch.allow(/third party: (http|ws):\/\/mate\.home\.arpa:/, /Cross-Origin-Opener-Policy/);
  await page.goto(`${server.url.replace('127.0.0.1', HOST)}/`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
});

test('a match is played at an insecure address', async ({ page }) => {
  await page.getByTestId('play').click();
  const table = await Table.arrived(page);
  // The deal is random, so that the opponent may lead first, and may even end the game by this lead. Some cards may not
  // be legal.
  if ((await table.turn()) === 'next') await page.getByTestId('next-game').click();
  const before = await table.log.count();
  await page.locator('button[data-card][aria-disabled="false"]').first().click();
  await table.dock.locator('[data-action]').first().click();
  await expect.poll(() => table.log.count()).toBeGreaterThan(before);
});

test('a streak is begun at an insecure address', async ({ page }) => {
  await page.goto(new URL('/puzzles', page.url()).href);
  await page.getByRole('radio', { name: 'Streak' }).check();
  await page.getByTestId('start').click();
  await expect(page.getByTestId('score')).toContainText('Solved: 0');
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
});
