// Tests the deal of the day: one match for each browser, its result on the page, and a text to share that
// reveals no card.
import { AxeBuilder } from '@axe-core/playwright';
import { finish } from './support/api';
import { Table } from './support/table';
import { expect, test } from './support/test';

test('a deal of the day is played once, and its result tells each decision', async ({
  page,
  context,
  somebody
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
  await page.getByTestId('daily-results').click();
  await expect(today.getByTestId('daily-lost')).toContainText(String(lost));
  await expect(page.getByTestId('daily-rank')).toHaveText('Place 1 of 2.');
  const { value_for_first: value } = await (
    await context.request.get(`/api/v1/shared-deals/${started.shared_deal}/${started.rules}`)
  ).json();
  await expect(page.getByTestId('daily-value')).toContainText(
    value === 0 ? 'a draw' : `${value > 0 ? 'wins' : 'loses'} ${Math.abs(value)} points`
  );
  await expect(page.getByTestId('daily-streak')).toHaveText('One day in a row.');
  // Both browsers chose the same actions, so that one bar counts both browsers.
  await expect(page.getByTestId('daily-spread').locator('.own .count')).toHaveText('2');
  const marks = await today.locator('.marks > span').allInnerTexts();
  const shared = await today.locator('input').inputValue();
  expect(shared.replace(/[^●◐○]/g, '')).toBe(marks.join(''));
  expect(shared).toContain(`${lost} points lost`);
  expect(shared).toContain('/daily');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test('the page of the day fits a phone and shows the deals of the week', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto('/daily');
  // The page shows two deals of today and seven deals of the week.
  await expect(page.locator('article')).toHaveCount(9);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
});
