// Tests all pages: accessibility, width, German texts, and the size of the scripts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { newMatch } from './support/api';
import { wholeBrowser } from './support/chromium';
import { focusOn } from './support/focus';
import { BOTH, pages } from './support/pages';
import { GERMAN_AT_LEAST, LOCALES } from './support/sample';
import { Table } from './support/table';
import { expect, installed, test } from './support/test';
import { catalogue, DESK, holdsGerman, holdsWcag, PHONE } from './support/wcag';

/** Pattern of the console message about a response with status 404 (not found). */
const NOT_FOUND = /status of 404/;

for (const [name, show] of Object.entries(pages)) {
  for (const locale of GERMAN_AT_LEAST) {
    test(`${name}: accessible in ${locale}, and no wider than the window`, async ({ somebody, watch }) => {
      watch.allow(NOT_FOUND);
      const context = await somebody({ locale, colorScheme: 'light' });
      const page = await context.newPage();
      await show(page, context, somebody);
      for (const { viewport } of locale === 'de-DE' ? [DESK, PHONE] : []) {
        await page.setViewportSize(viewport);
        await holdsGerman(page, name);
      }
      await holdsWcag(page, name);
    });
  }
}

test('a German browser gets the texts of the German catalogue', async ({ somebody }) => {
  const page = await (await somebody({ locale: 'de-DE' })).newPage();
  const de = catalogue('de');
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(de.start_title ?? '');
  await expect(page.getByTestId('play')).toHaveText(de.start_play_go ?? '');
});

test('on a phone no card is covered, and a second tap plays a card', async ({ somebody }) => {
  const context = await somebody(PHONE);
  const page = await context.newPage();
  const match = await newMatch(context, { ...BOTH, rules: 'bga', lead: 'me' });
  const table = await Table.open(page, match.id);
  await table.turn();
  const cards = page.getByTestId('board').locator('[data-card]');
  await expect(cards).toHaveCount(20);
  const covered = await cards.evaluateAll((cards) =>
    cards
      .filter((card) => {
        const { left, top, width, height } = card.getBoundingClientRect();
        const points = [
          [left + width / 2, top + height / 2],
          [left + 9, top + 9],
          [left + width - 9, top + height - 9]
        ];
        return points.some(
          ([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest('[data-card]') !== card
        );
      })
      .map((card) => card.getAttribute('data-card'))
  );
  expect(covered, 'no card lies under another, or outside the window').toEqual([]);
  const [card] = await table.marked();
  await table.card(card ?? '').tap();
  await expect(table.choice(card ?? '')).toBeVisible();
  await expect(table.log).toHaveCount(0);
  await table.card(card ?? '').tap();
  await expect(table.log).toHaveCount(1);
});

test('on a phone the 48 cards of the Pinochle deck do not overlap and are large enough to touch', async ({
  somebody
}) => {
  const context = await somebody(PHONE);
  const page = await context.newPage();
  const match = await newMatch(context, { ...BOTH, rules: 'bga+pinochle', deal: '123456789012', lead: 'me' });
  const table = await Table.open(page, match.id);
  await table.turn();
  const cards = page.getByTestId('board').locator('[data-card]');
  const copies = await cards.evaluateAll((cards) =>
    cards.map((card) => Number((card as HTMLElement).dataset.copies))
  );
  expect(copies.reduce((sum, n) => sum + n, 0)).toBe(48);
  const faults = await cards.evaluateAll((cards) =>
    cards.flatMap((card) => {
      const { left, right, top, bottom, width, height } = card.getBoundingClientRect();
      const points = [
        [(left + right) / 2, (top + bottom) / 2],
        [left + 4, top + 4],
        [right - 4, top + 4],
        [left + 4, bottom - 4],
        [right - 4, bottom - 4]
      ];
      const covered = points.filter(
        ([x = 0, y = 0]) => document.elementFromPoint(x, y)?.closest('[data-card]') !== card
      );
      const name = card.getAttribute('aria-label');
      // Texts on a card stay within its edges.
      const inner = [...card.querySelectorAll('.index > *, .points')].some((part) => {
        const box = part.getBoundingClientRect();
        return box.width > 0 && (box.left < left || box.right > right || box.bottom > bottom);
      });
      return [
        ...(covered.length > 0 ? [`${name} is covered`] : []),
        ...(width < 40 || height < 40 ? [`${name} is ${width}×${height}`] : []),
        ...(inner ? [`${name} is written over its edge`] : [])
      ];
    })
  );
  expect(faults).toEqual([]);
  const [card] = await table.marked();
  await table.card(card ?? '').tap();
  await table.choice(card ?? '').tap();
  await expect(table.log).toHaveCount(1);
});

test('a first touch lifts a card and says what it does, unless the first touch plays', async ({
  page,
  context
}) => {
  const match = await newMatch(context, { ...BOTH, rules: 'bga', lead: 'me' });
  const table = await Table.open(page, match.id);
  await table.turn();
  const [one, other] = (await table.state()).current.legal;
  if (!one?.card || !other?.card) throw new Error('the deal has no leads');
  await table.card(one.card).click();
  await expect(table.choice(one.action)).toBeVisible();
  // The status sentence shows a picture of each card that can answer the lead.
  const { length } = one.answers?.cards ?? [];
  await expect(page.getByTestId('status').getByRole('img')).toHaveCount(length);
  expect(length).toBeGreaterThan(0);
  await table.card(other.card).click();
  await expect(table.choice(other.action)).toBeVisible();
  await expect(table.choice(one.action)).toHaveCount(0);
  await page.getByTestId('cancel').click();
  await expect(page.getByTestId('status')).toContainText('Your lead');
  await expect(table.log).toHaveCount(0);

  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('checkbox', { name: 'The first touch plays a card' }).check();
  await page.keyboard.press('Escape');
  await table.card(one.card).click();
  await expect(table.log).toHaveCount(1);
});

test('every worked example of the rules can be played through', async ({ page }) => {
  await page.goto('/rules');
  const examples = page.getByTestId('example');
  await expect(examples.first()).toBeVisible();
  const count = await examples.count();
  expect(count).toBeGreaterThan(15);
  for (let at = 0; at < count; at += 1) {
    const example = examples.nth(at);
    await example.locator('summary').click();
    await example.getByRole('button', { name: 'Back to the present' }).click();
    await expect(example.getByTestId('board').locator('[data-played]').first()).toBeVisible();
    // If the title of a worked example names its points, the example ends with this number of points.
    const [, sum] = /famous (\d+)/.exec(await example.locator('summary').innerText()) ?? [];
    if (sum) await expect(example.getByRole('status')).toContainText(`= ${sum}`);
  }
  await expect(page.getByTestId('problem')).toHaveCount(0);
  await expect(examples.last().getByRole('status')).toHaveText('9 × 17 = 153');
});

test('a deal of the guide opens in the analysis with the values of its board', async ({ page }) => {
  await page.goto('/guide');
  // In this deal of the guide, one lead wins and nine leads lose.
  const deal = page.getByTestId('guide-deal').filter({ hasText: 'Deal 146424' });
  await expect(deal.locator('.tab')).toHaveCount(10);
  await expect(deal.locator('.best')).toHaveText('+14');
  await deal.getByRole('link').click();
  await expect(page.getByTestId('value')).toContainText('First wins 14 points');
});

test('the score sheet of the guide prints alone', async ({ page }) => {
  await page.addInitScript(() => (window.print = () => undefined));
  await page.goto('/guide');
  await page.getByRole('button', { name: 'Print the score sheet' }).click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('region', { name: 'Score sheet' })).toBeVisible();
  await expect(page.getByTestId('guide-deal').first()).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.getByTestId('guide-deal').first()).toBeVisible();
});

test('Chromium finds no obstacle to installing the page', async ({ playwright, server }) => {
  // The test starts Chromium with a profile folder, because Chromium cannot install a web app from a private window.
  const folder = mkdtempSync(join(tmpdir(), 'overmate-profile-'));
  const browser = await playwright.chromium.launchPersistentContext(folder, wholeBrowser);
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    await installed(page);
    const session = await browser.newCDPSession(page);
    const manifest = await session.send('Page.getAppManifest');
    expect([manifest.url, manifest.errors]).toEqual([`${server.url}/manifest.webmanifest`, []]);
    expect(JSON.parse(manifest.data ?? '')).toMatchObject({ name: 'Overmate', display: 'standalone' });
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    expect(installabilityErrors).toEqual([]);
    // For a document without a manifest, Chromium reports an installability error. So the check itself works.
    await page.goto(`${server.url}/healthz`);
    const without = await session.send('Page.getInstallabilityErrors');
    expect(without.installabilityErrors.map(({ errorId }) => errorId)).toEqual(['no-manifest']);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});

test('the icons of the installed page load', async ({ request }) => {
  const manifest = await (await request.get('/manifest.webmanifest')).json();
  const sizes: string[] = [];
  for (const { src, sizes: size, type } of manifest.icons) {
    const icon = await request.get(src);
    expect(icon.status(), src).toBe(200);
    expect(icon.headers()['content-type'], src).toBe(type);
    if (type !== 'image/png') continue;
    const png = await icon.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, src).toBe(size);
    sizes.push(size);
  }
  expect(sizes).toEqual(['192x192', '512x512', '512x512']);
  expect(await (await request.get('/robots.txt')).text()).toContain('User-agent: *');
  const old = await request.get('/favicon.ico');
  expect(old.headers()['content-type']).toMatch(/^image\//);
  expect([...(await old.body()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
});

test('the settings lead to the licences of software and fonts of others', async ({ page }) => {
  await page.goto('/rules');
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Licences of others’ software and fonts' }).click();
  await expect(page).toHaveURL(/\/third-party-licences\.txt$/);
  const text = page.locator('body');
  // A crate, an npm package and a font.
  for (const name of ['axum', 'svelte', '@fontsource-variable/work-sans'])
    await expect(text).toContainText(new RegExp(`^${name} [0-9.]+ \\(`, 'm'));
  await expect(text).toContainText('Copyright © WHATWG');
});

test('the bar of the browser has the colour of the paper, in light and dark', async ({ page }) => {
  await page.goto('/');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [bar, paper] = await page.evaluate((scheme) => {
      const meta = document.querySelector<HTMLMetaElement>(`meta[name="theme-color"][media*="${scheme}"]`);
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = meta?.content ?? '';
      return [getComputedStyle(probe).color, getComputedStyle(document.documentElement).backgroundColor];
    }, colorScheme);
    expect(bar, colorScheme).toBe(paper);
    expect(bar, colorScheme).toBe({ light: 'rgb(244, 238, 225)', dark: 'rgb(26, 24, 21)' }[colorScheme]);
  }
});

for (const locale of LOCALES) {
  test(`${locale}: every page has the title that the server gives it`, async ({ somebody, watch }) => {
    watch.allow(NOT_FOUND);
    const context = await somebody({ locale });
    const page = await context.newPage();
    const paths = [
      ...['/', '/play', '/learn', '/daily', '/puzzles', '/analysis', '/rules', '/guide', '/me', '/events'],
      ...[
        '/watch',
        '/players',
        '/privacy',
        '/sign-in',
        '/device',
        '/recover',
        '/confirm-address',
        '/unsubscribe/x',
        '/match/x',
        '/match/x/review',
        '/join/x'
      ]
    ];
    await page.goto('/rules');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const titles = new Set<string>();
    for (const path of paths) {
      const html = await (await context.request.get(path, { headers: { 'Accept-Language': locale } })).text();
      const title = /<title>(.*)<\/title>/.exec(html)?.[1] ?? '';
      const isListed = !/^\/(me|players|sign-in|device|recover|confirm-address|unsubscribe|match|join)/.test(
        path
      );
      expect(!html.includes('noindex'), path).toBe(isListed);
      // A page also has the right title when a click opens it without a request for its HTML.
      await page.evaluate((path) => {
        document.title = 'nothing';
        const link = document.body.appendChild(document.createElement('a'));
        link.href = path;
        link.click();
        link.remove();
      }, path);
      await expect(page).toHaveURL(path);
      if (path !== '/match/x') await expect(page, path).toHaveTitle(title);
      else await expect(page).toHaveTitle(/(no seat here|keinen Platz) · Overmate$/);
      titles.add(title);
    }
    expect(titles.size).toBe(paths.length);
  });
}

test('the pages of events, watching and players begin at the left edge of the header', async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  for (const path of ['/', '/rules', '/events', '/watch', '/players']) {
    await page.goto(path);
    const [name, title] = [page.locator('header .name'), page.getByRole('heading', { level: 1 })];
    const left = async (of: typeof name) => (await of.boundingBox())?.x ?? NaN;
    await expect(title).toBeVisible();
    expect(Math.abs((await left(name)) - (await left(title))), path).toBeLessThanOrEqual(1);
  }
});

/**
 * Opens a page, and returns the compressed size in bytes of each script that the page loads, by the URL of the
 * script.
 */
async function scriptsOf(page: Page, address: string, ready: (page: Page) => Promise<void>) {
  const sizes: Promise<[string, number]>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => [request.url(), responseBodySize]));
  });
  await page.goto(address);
  await ready(page);
  await page.waitForLoadState('networkidle');
  return new Map(await Promise.all(sizes));
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((sum, number) => sum + number, 0);

test('the start page loads less than 90 kB of compressed script, and /puzzles at most 40 kB more', async ({
  page,
  somebody
}) => {
  const start = await scriptsOf(page, '/', (page) => expect(page.getByTestId('play')).toBeEnabled());
  const bytes = sum(start.values());
  test.info().annotations.push({ type: 'bytes of script', description: String(bytes) });
  expect(start.size).toBeGreaterThan(2);
  // The number of scripts is limited, because each script lengthens the loading time on a slow network.
  expect(start.size).toBeLessThanOrEqual(16);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(90_000);

  // The browser of another player has an empty cache.
  const puzzles = await scriptsOf(await (await somebody()).newPage(), '/puzzles', (page) =>
    expect(page.getByTestId('puzzle')).toBeVisible()
  );
  const added = sum([...puzzles].filter(([address]) => !start.has(address)).map(([, size]) => size));
  test.info().annotations.push({ type: 'bytes of script added by /puzzles', description: String(added) });
  expect(added).toBeGreaterThan(1_000);
  expect(added).toBeLessThanOrEqual(40_000);
});

test('the HTML of the start page names the scripts and styles of the start page, and other pages do not', async ({
  request,
  page
}) => {
  const linksAt = async (path: string) => {
    const html = await (await request.get(path)).text();
    return [...html.matchAll(/<link href="\/_app[^>]*>/g)].map(([link]) => link);
  };
  const [start, rules] = [await linksAt('/'), await linksAt('/rules')];
  const own = start.filter((link) => !rules.includes(link));
  expect(own.some((link) => link.includes('stylesheet'))).toBe(true);
  expect(own.some((link) => link.includes('modulepreload'))).toBe(true);
  // The start page requests each file that its HTML names.
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByTestId('play')).toBeEnabled();
  const named = start.map((link) => /href="([^"]*)"/.exec(link)?.[1] ?? '');
  expect(requested).toEqual(expect.arrayContaining(named));
});

test('a narrow window has the links of the header in a menu', async ({ somebody }) => {
  const context = await somebody({ viewport: { width: 375, height: 667 } });
  const page = await context.newPage();
  await page.goto('/rules');
  const [menu, links] = [page.getByTestId('menu'), page.getByRole('navigation').getByRole('link')];
  await expect(links).toHaveCount(0);
  await focusOn(menu);
  await page.keyboard.press('Enter');
  await expect(links).toHaveCount(8);
  await expect(page.getByRole('link', { name: 'Rules' })).toHaveAttribute('aria-current', 'page');
  for (const link of await links.all()) {
    await expect(link).toBeInViewport({ ratio: 1 });
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await page.keyboard.press('Escape');
  await expect(links).toHaveCount(0);
  await expect(menu).toBeFocused();
  await menu.click();
  await page.getByRole('link', { name: 'Puzzles' }).click();
  await expect(page).toHaveURL(/\/puzzles$/);
  await expect(links).toHaveCount(0);
  // In a wide window, the page header shows the links in place of the menu button.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(links).toHaveCount(8);
  await expect(menu).toBeHidden();
});

test('an unknown page and an unknown lesson say so, and have a button to go on, in a low window too', async ({
  somebody,
  watch
}) => {
  watch.allow(NOT_FOUND);
  const context = await somebody({ viewport: { width: 320, height: 568 } });
  const page = await context.newPage();
  for (const [path, heading, button, target] of [
    ['/nowhere', 'This page does not exist', 'To the start page', '/'],
    ['/learn/nowhere', 'This lesson does not exist.', 'All lessons', '/learn']
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    const link = page.getByRole('main').getByRole('link', { name: button });
    await expect(link).toBeInViewport({ ratio: 1 });
    await expect(link).toHaveAttribute('href', target);
  }
});
