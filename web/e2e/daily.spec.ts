// Tests the deal of the day, which each browser plays in one match without undo and hints. After the match, the
// page shows the result, offers practice, and has a text to share that reveals no card.
import { AxeBuilder } from '@axe-core/playwright';
import { randomUUID } from 'node:crypto';
import type { components } from '../src/lib/api/schema';
import { finish } from './support/api';
import { focusOn } from './support/focus';
import { Table } from './support/table';
import { expect, test } from './support/test';

test('a deal of the day is played once, and its result tells each decision', async ({
  page,
  context,
  somebody,
  watch
}) => {
  const other = await somebody();
  const othersPage = await other.newPage();
  await othersPage.goto('/daily');
  await othersPage.getByRole('button', { name: 'Play', exact: true }).first().click();
  const others = await finish(other, (await Table.arrived(othersPage)).id);
  expect(others.result).not.toBeNull();

  await page.goto('/');
  await page.getByRole('link', { name: 'Daily' }).click();
  const today = page.locator('article').first();
  await today.getByRole('button', { name: 'Play', exact: true }).click();
  const table = await Table.arrived(page);
  const started = await table.state();
  expect(started.shared_deal).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(started.current.deal).toBe(others.finished[0]?.deal ?? '');
  await expect(page.getByTestId('hint')).toHaveCount(0);
  await page.goto('/daily');
  await expect(today.getByRole('link', { name: 'Go on' })).toHaveAttribute('href', `/match/${table.id}`);

  const { totals } = await finish(context, table.id);
  const lost = totals.b - totals.a;
  await page.goto(`/match/${table.id}`);
  // If the request for the details of a deal fails, a button on the page repeats the request.
  watch.allow(/ERR_FAILED/);
  const details = '**/api/v1/shared-deals/*/*';
  await page.route(details, (route) => route.abort());
  await page.getByTestId('daily-results').click();
  await expect(today.getByTestId('daily-lost')).toContainText(String(lost));
  await focusOn(today.getByRole('button', { name: 'Try again' }));
  await page.unroute(details);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('daily-rank')).toHaveText('Place 1 of 2.');
  const { value_for_first: value } = await (
    await context.request.get(`/api/v1/shared-deals/${started.shared_deal}/${started.rules}`)
  ).json();
  await expect(page.getByTestId('daily-value')).toContainText(
    value === 0 ? 'a draw' : `${value > 0 ? 'wins' : 'loses'} ${Math.abs(value)} points`
  );
  await expect(page.getByTestId('daily-streak')).toHaveText('One day in a row.');
  // Both players of the daily deal chose the same actions, so that one bar of the histogram counts both results.
  await expect(page.getByTestId('daily-spread').locator('.own .count')).toHaveText('2');
  const marks = await today.locator('.marks > span').allInnerTexts();
  const shared = await today.getByRole('textbox').inputValue();
  expect(shared.replace(/[^●◐○]/g, '')).toBe(marks.join(''));
  expect(shared).toContain(`${lost} points lost`);
  expect(shared).toContain('/daily');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test('the deal has no undo and no hints, each decision has its cost, and a second go is practice', async ({
  page,
  context
}) => {
  await page.goto('/daily');
  const deal = page.locator('article').nth(1);
  await deal.getByRole('button', { name: 'Play', exact: true }).click();
  const table = await Table.arrived(page);
  // The player plays an action that they could take back in an ordinary match against the computer.
  await table.play((legal) => legal.at(-1));
  expect(await table.turn()).toBe('act');
  for (const tool of ['undo', 'hint']) {
    await expect(page.getByTestId(tool)).toHaveCount(0);
    const refused = await context.request.post(`/api/v1/matches/${table.id}/${tool}`, {
      data: { client_id: randomUUID() }
    });
    expect((await refused.json()).code, tool).toBe('not-allowed');
  }
  const { totals, shared_deal: name, rules, finished } = await finish(context, table.id);
  const lost = totals.b - totals.a;

  await page.goto('/daily');
  await expect(deal.getByTestId('daily-lost')).toContainText(String(lost));
  const result: components['schemas']['SharedDealResult'] = await (
    await context.request.get(`/api/v1/shared-deals/${name}/${rules}`)
  ).json();
  // Only the player makes errors, because the opponent plays perfectly. The costs of the player's decisions therefore
  // add up to their loss in the match.
  const costs = result.decisions.map((decision) => decision.lost);
  expect(costs.reduce((sum, cost) => sum + cost, 0)).toBe(lost);
  const list = deal.getByTestId('daily-costs');
  await expect(list.getByRole('listitem')).toHaveCount(0);
  await focusOn(list.locator('summary'));
  await page.keyboard.press('Enter');
  const lines = await list.getByRole('listitem').allInnerTexts();
  expect(lines.map((line) => Number(line.split(': ').at(-1)))).toEqual(costs);
  expect(costs.length).toBeGreaterThan(2);
  await expect(deal.locator('.marks > span')).toHaveCount(costs.length);
  await expect(deal.locator('.dearest')).toContainText(`lost ${Math.max(...costs)} points`);

  await deal.getByRole('button', { name: 'Play it again as practice' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith(table.id) && url.pathname.startsWith('/match/'));
  const again = await Table.arrived(page);
  await again.turn();
  const practice = await again.state();
  expect(practice.shared_deal).toBeNull();
  expect(practice.current.deal).toBe(finished[0]?.deal);
  await expect(page.getByTestId('hint')).toBeVisible();
  // A practice match on the deal of the day is over after one round. The match whose result counts has one round too.
  const practised = await finish(context, again.id);
  expect([practised.finished.length, practised.result === null]).toEqual([1, false]);
  await page.goto('/daily');
  await expect(deal.getByTestId('daily-lost')).toContainText(String(lost));
  await expect(deal.getByRole('link', { name: 'Look at the match' })).toHaveAttribute(
    'href',
    `/match/${table.id}`
  );
});

for (const timezoneId of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kolkata']) {
  test.describe(timezoneId, () => {
    test.use({ timezoneId });
    test('the day ends at midnight in UTC, and an open page then reads the deals again', async ({ page }) => {
      const noon = new Date();
      noon.setUTCHours(12, 0, 0, 0);
      await page.clock.install({ time: noon });
      // The server's clock and the page's clock show the same time.
      await page.route('**/api/**', async (route) => {
        const response = await route.fetch();
        const date = await page.evaluate(() => new Date().toUTCString());
        await route.fulfill({ response, headers: { ...response.headers(), date } });
      });
      const coming = page.waitForResponse((response) => response.url().endsWith('/shared-deals'));
      await page.goto('/daily');
      const { today_ends_at: end } = await (await coming).json();
      // The test is skipped if midnight has passed since its start.
      test.skip(Date.parse(end) - noon.getTime() !== 12 * 3_600_000, 'midnight has passed');
      await expect(page.locator('.facts')).toContainText(/\b(12 h|11 h 5\d min)/);
      let reads = 0;
      page.on('request', (request) => (reads += Number(request.url().endsWith('/shared-deals'))));
      await page.clock.fastForward('11:50:00');
      await expect(page.locator('.facts')).toContainText(/\b(10|9) min/);
      expect(reads).toBe(0);
      const again = page.waitForResponse((response) => response.url().endsWith('/shared-deals'));
      await page.clock.fastForward('11:00');
      await again;
      // The server returns the same deals again, because midnight has passed by the page's clock only. The page does
      // not ask again and again.
      await page.clock.fastForward('02:00');
      await expect(page.locator('article').first()).toBeVisible();
      expect(reads).toBe(1);
    });
  });
}

test('the time until the next deals follows the server, whatever the clock of the device shows', async ({
  page
}) => {
  for (const days of [-5, 5]) {
    await page.clock.install({ time: Date.now() + days * 86_400_000 });
    let reads = 0;
    page.on('request', (request) => (reads += Number(request.url().endsWith('/shared-deals'))));
    const coming = page.waitForResponse((response) => response.url().endsWith('/shared-deals'));
    await page.goto('/daily');
    const { today_ends_at: end } = await (await coming).json();
    const minutes = Math.ceil((Date.parse(end) - Date.now()) / 60_000);
    const at = (left: number) =>
      `New deals in ${left < 60 ? '' : `${Math.floor(left / 60)} h `}${left % 60} min.`;
    const shown = await page.locator('.facts span').first().innerText();
    expect([at(minutes - 1), at(minutes), at(minutes + 1)]).toContain(shown);
    await page.clock.fastForward('00:40');
    expect(reads).toBe(1);
  }
});

test('the page of the day fits a phone and shows the deals of the week', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/daily');
  // The page of daily deals shows two deals of the day and seven deals of the week.
  await expect(page.locator('article')).toHaveCount(9);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
});
