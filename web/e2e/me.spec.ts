// Tests the progress page: statistics that equal those of the server, links to reviews, and downloads of games and
// puzzles.
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import type { components } from '../src/lib/api/schema';
import { finish, newMatch } from './support/api';
import { focusOn } from './support/focus';
import { Table } from './support/table';
import { expect, test } from './support/test';

type Schemas = components['schemas'];

/** Clicks a download link, and returns the name and the text of the downloaded file. */
async function downloaded(page: Page, link: string): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download');
  await page.getByTestId(link).click();
  const download = await coming;
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

test('a browser without a finished match gets the three choices', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Your progress' }).click();
  await expect(page.getByTestId('empty')).toContainText('not finished a match');
  await expect(page.getByRole('link', { name: 'Learn', exact: true })).toHaveCount(1);
  await expect(page.getByTestId('play-friend')).toBeVisible();
  await focusOn(page.getByTestId('play'));
  await page.keyboard.press('Enter');
  await Table.arrived(page);
});

/** Holds all requests for a path, and returns a function that lets the requests go on. */
async function hold(page: Page, path: string): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(path, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test('the days off appear without moving the keyboard focus', async ({ page, context }) => {
  // Only a browser with an identity can begin days off.
  await newMatch(context, { rules: 'bga', opponent: { kind: 'level', level: 1 } });
  const release = await hold(page, '/api/v1/me/days-off');
  await page.goto('/me');
  await expect(page.getByTestId('make-account')).toBeVisible();
  release();
  await expect(page.getByTestId('away')).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  // After the player has begun their days off, the keyboard focus moves to the heading of the section about days off.
  // The pressed button has disappeared.
  await page.getByTestId('away').click();
  await expect(page.getByTestId('back')).toBeVisible();
  await expect(page.getByTestId('days-off').getByRole('heading')).toBeFocused();
});

test('the sections of the account appear with the progress, which would move them', async ({ page }) => {
  const release = await hold(page, '/api/v1/me/progress');
  const asked = page.waitForRequest('**/me/progress');
  await page.goto('/me#account');
  await asked;
  await expect(page.getByTestId('account')).toBeHidden();
  release();
  await expect(page.getByTestId('empty')).toBeVisible();
  await expect(page.getByTestId('make-account')).toBeInViewport();
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
  // The graph of lost points omits each game in which no decision of the player could lose points. For example, the
  // opponent may mate early.
  const plotted = progress.games.filter(({ choices }) => (choices ?? 0) > 0);
  const graph = page.getByTestId('losses').getByRole('img');
  if (plotted.length > 1)
    await expect(graph).toHaveAccessibleName(new RegExp(`last ${plotted.length} games`));
  else await expect(graph).toHaveCount(0);
  const margin = you === 'a' ? totals.a - totals.b : totals.b - totals.a;
  await expect(page.getByTestId('results').locator('tbody tr')).toContainText(['Level 3']);
  await expect(page.getByTestId('results')).toContainText(String(Math.abs(margin)));
  const mistakes = progress.mistakes.reduce((sum, { points_lost }) => sum + points_lost, 0);
  expect(mistakes).toBe(progress.points_lost);
  await expect(page.getByTestId('mistakes').locator('tbody tr')).toHaveCount(progress.mistakes.length);

  const table = page.getByTestId('games');
  await focusOn(table.locator('summary'));
  await page.keyboard.press('Enter');
  await expect(table.locator('tbody tr')).toHaveCount(4);

  const csv = await downloaded(page, 'csv');
  expect(csv.name).toBe('overmate-games.csv');
  const lines = csv.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[1]).toContain(`,${match.id},0,sackson,level,3,`);
  const json = await downloaded(page, 'json');
  expect(json.name).toBe('overmate-games.json');
  expect(JSON.parse(json.text)).toEqual(progress.games);

  await table.getByRole('link').last().click();
  await expect(page.getByTestId('review-actions')).toBeVisible();
});

test('results have a row for each level, and puzzles have a plot, a history and a file', async ({
  page,
  context
}) => {
  const scores = new Map<string, number>();
  for (const level of [1, 2]) {
    const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'level', level } });
    const { totals, you } = await finish(context, match.id);
    scores.set(`Level ${level}`, you === 'a' ? totals.a - totals.b : totals.b - totals.a);
  }
  const tried: string[] = [];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const puzzle: Schemas['Puzzle'] = await (
      await context.request.get('/api/v1/puzzles/next?rules=bga')
    ).json();
    // An attempt that contains no action counts as giving up the puzzle.
    const path = `/api/v1/puzzles/${puzzle.id}/attempts`;
    expect((await context.request.post(path, { data: { actions: [] } })).ok()).toBe(true);
    tried.push(puzzle.id);
  }
  const { latest, rating }: Schemas['PuzzleOverview'] = await (
    await context.request.get('/api/v1/puzzles')
  ).json();

  await page.goto('/me');
  await expect(page.getByTestId('waiting')).toHaveAttribute('data-waiting', '0');
  const rows = page.getByTestId('results').locator('tbody tr');
  await expect(rows).toHaveCount(2);
  for (const [opponent, margin] of scores) {
    const row = rows.filter({ hasText: opponent });
    await expect(row.locator('td').last()).toHaveText(String(margin).replace('-', '−'));
    await expect(row).toContainText(margin > 0 ? '1 · 0 · 0' : margin < 0 ? '0 · 0 · 1' : '0 · 1 · 0');
  }
  const others = page.getByTestId('others');
  await expect(others).toContainText(`Puzzle rating ${Math.round(rating)}: 0 of 3 solved.`);
  const plot = others.getByTestId('progress');
  const [first, last] = [latest[0], latest[2]].map((attempt) => Math.round(attempt?.rating ?? 0));
  await expect(plot).toHaveAccessibleName(new RegExp(`3.*${first}.*${last}`));
  expect((await plot.locator('polyline').getAttribute('points'))?.split(' ')).toHaveLength(3);

  const { name, text } = await downloaded(page, 'puzzles-csv');
  expect(name).toBe('overmate-puzzles.csv');
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toBe('puzzle,rules,solved,rating,at,run');
  const newest = [...latest].reverse();
  expect(lines).toEqual(
    newest.map(({ puzzle, rating, at }) => `${puzzle},bga,false,${rating.toFixed(2)},${at},`)
  );
  expect(newest.map(({ puzzle }) => puzzle)).toEqual([...tried].reverse());
  const file = await downloaded(page, 'puzzles-json');
  expect(file.name).toBe('overmate-puzzles.json');
  expect(JSON.parse(file.text)).toEqual(newest);

  await others.getByRole('link', { name: 'To the puzzles' }).click();
  // The test waits for the first puzzle, because its appearance moves the rating history to another part of the page.
  await expect(page.getByTestId('give-up')).toBeVisible();
  const history = page.getByTestId('rating');
  await history.locator('summary').click();
  const links = history.getByRole('listitem').getByRole('link');
  await expect(links).toHaveCount(newest.length);
  const hrefs = await links.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(hrefs).toEqual(newest.map(({ puzzle }) => `/puzzles/${puzzle}#solution`));
});

test('the address of the browsers leads to their part of the page', async ({ page, context }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'level', level: 1 } });
  await finish(context, match.id);
  await page.goto('/me#browsers');
  await expect(page.getByTestId('results')).toHaveCount(1);
  const heading = page.getByRole('heading', { name: 'Take it with you' });
  await expect(heading).toBeInViewport({ ratio: 1 });
  await expect(page.getByTestId('make-link')).toBeInViewport();
});

test('the page fits the narrowest phone in German, and its header takes one line', async ({ somebody }) => {
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
  expect(tops).toHaveLength(4);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12);
  const header = await page.locator('header.site').boundingBox();
  expect(header?.height).toBeLessThan(60);
});

test('the page leads to the erasure of all data', async ({ page }) => {
  await page.goto('/me');
  await expect(page.getByTestId('empty')).toBeVisible();
  await page.getByTestId('jumps').getByRole('link', { name: 'Erase your data' }).click();
  await expect(page.getByTestId('erase-section').getByTestId('erase')).toBeInViewport();
});
