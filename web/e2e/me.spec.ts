// Progress: the numbers of the page are those of the server, the table leads to the reviews, and the games can be downloaded.
import { readFileSync } from 'node:fs';
import type { components } from '../src/lib/api/schema';
import { finish, newMatch } from './support/api';
import { Table } from './support/table';
import { expect, test } from './support/test';

type Schemas = components['schemas'];

test('a browser without a finished match gets the three choices', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Your progress' }).click();
  await expect(page.getByTestId('empty')).toContainText('not finished a match');
  await expect(page.getByRole('link', { name: 'Learn', exact: true })).toHaveCount(1);
  await expect(page.getByTestId('play-friend')).toBeVisible();
  await page.getByTestId('play').focus();
  await page.keyboard.press('Enter');
  await Table.arrived(page);
});

test('a finished match appears with its losses, and its games can be downloaded', async ({
  page,
  context
}) => {
  const level = { kind: 'level' as const, level: 3 };
  const match = await newMatch(context, { rules: 'sackson', opponent: level, deal: '20010' });
  const { totals, you } = await finish(context, match.id);
  await page.goto('/me');
  await expect(page.getByTestId('waiting')).toHaveAttribute('data-waiting', '0');
  const review: Schemas['Review'] = await (
    await context.request.get(`/api/v1/matches/${match.id}/review?game=0`)
  ).json();
  const seat = you === 'a' ? 'first' : 'second';
  const lost = review.actions
    .filter((action) => action.seat === seat)
    .reduce((sum, action) => sum + (action.lost ?? 0), 0);
  const progress: Schemas['Progress'] = await (await context.request.get('/api/v1/me/progress')).json();
  expect(progress.games[0]?.points_lost).toBe(lost);
  expect(progress.games).toHaveLength(4);
  const percent = Math.round(100 * (progress.accuracy ?? 0));
  await expect(page.getByTestId('accuracy')).toContainText(`${percent}\u00a0%`);
  await expect(page.getByTestId('like-level')).toContainText(`Level ${progress.like_level?.level}`);
  await expect(page.getByTestId('losses').getByRole('img')).toHaveAccessibleName(/last 4 games/);
  const margin = you === 'a' ? totals.a - totals.b : totals.b - totals.a;
  await expect(page.getByTestId('results').locator('tbody tr')).toContainText(['Level 3']);
  await expect(page.getByTestId('results')).toContainText(String(Math.abs(margin)));
  const mistakes = progress.mistakes.reduce((sum, { points_lost }) => sum + points_lost, 0);
  expect(mistakes).toBe(progress.points_lost);
  await expect(page.getByTestId('mistakes').locator('tbody tr')).toHaveCount(progress.mistakes.length);

  const table = page.getByTestId('games');
  await table.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(table.locator('tbody tr')).toHaveCount(4);

  const coming = page.waitForEvent('download');
  await page.getByTestId('csv').click();
  const download = await coming;
  expect(download.suggestedFilename()).toBe('overmate-games.csv');
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain(`,${match.id},0,sackson,level,3,`);
  const json = await context.request.get('/api/v1/me/games.json');
  expect(await json.json()).toEqual(progress.games);

  await table.getByRole('link').last().click();
  await expect(page.getByTestId('review-actions')).toBeVisible();
});

test('the page fits the narrowest phone in German, and its header stays on two lines', async ({
  somebody
}) => {
  const context = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'perfect' } });
  await finish(context, match.id);
  const page = await context.newPage();
  await page.goto('/me');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dein Fortschritt');
  await expect(page.getByTestId('waiting')).toHaveAttribute('data-waiting', '0');
  await page.getByTestId('games').locator('summary').click();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  const tops = await page
    .locator('header.site > .name, header.site > .button')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().bottom));
  expect(tops).toHaveLength(3);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12);
});
