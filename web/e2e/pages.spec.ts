// Tests all pages: accessibility in light and dark, width, German texts, and the size of the scripts.
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContext, Page } from '@playwright/test';
import { readFileSync, readdirSync } from 'node:fs';
import { finish, newMatch, playBoth, type MatchState } from './support/api';
import { PAGES } from './support/situations';
import { expect, test } from './support/test';
import { openForm, Table } from './support/table';

const BOTH = { rules: 'sackson', opponent: { kind: 'both' as const }, deal: '20010' };

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESK = { viewport: { width: 1280, height: 800 } };
/** Pattern of the console message about a response with status 404 (not found). */
const NOT_FOUND = /status of 404/;

/** Function that creates a browser context for another player. */
type Somebody = () => Promise<BrowserContext>;

/** Begins a match in another player's browser, so that this browser can open the match only by a link. */
const foreign = async (somebody: Somebody): Promise<MatchState> =>
  newMatch(await somebody(), { ...BOTH, opponent: { kind: 'friend' }, names: { me: 'Anna' } });

/** Returns a function that opens the table and one of its dialogs, by the name of the dialog's button. */
const dialog = (name: RegExp) => async (page: Page, context: BrowserContext, somebody: Somebody) => {
  await pages.table?.(page, context, somebody);
  await page.locator('header').getByRole('button', { name }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
};

/**
 * Functions that open all pages of the site, each page in the state with the most elements. The pages of the
 * same name in `PAGES` show fewer elements.
 */
const pages: Record<string, (page: Page, context: BrowserContext, somebody: Somebody) => Promise<void>> = {
  ...PAGES,
  start: async (page) => {
    await openForm(page);
    await page.getByTestId('new-table').locator('summary').click();
    await expect(page.getByTestId('new-table').locator('table')).toBeVisible();
  },
  table: async (page, context) => {
    const match = await newMatch(context, BOTH);
    await playBoth(context, match, ({ current }) => current.steps.length === 5);
    await (await Table.open(page, match.id)).turn();
  },
  end: async (page, context) => {
    const match = await newMatch(context, BOTH);
    await playBoth(context, match, ({ current }) => current.steps.length === 5);
    const table = await Table.open(page, match.id);
    while ((await table.turn()) === 'act') await table.play(([first]) => first);
    await expect(page.getByTestId('end')).toBeVisible();
  },
  review: async (page, context) => {
    const match = await newMatch(context, BOTH);
    await playBoth(context, match, ({ current }) => current.index === 2);
    await page.goto(`/match/${match.id}/review?game=0`);
    await expect(page.getByTestId('review-actions')).toBeVisible();
  },
  analysis: async (page) => {
    await page.goto('/analysis?rules=sackson&deal=20010&line=-,-');
    await expect(page.getByTestId('value')).toBeVisible();
  },
  foreplacing: async (page, context) => {
    const match = await newMatch(context, { ...BOTH, lead: 'me' });
    const table = await Table.open(page, match.id);
    const [card] = await table.marked();
    await table.card(card ?? '').click({ position: { x: 9, y: 9 } });
    await expect(table.choice(`(${card})`)).toBeVisible();
  },
  pinochle: async (page, context) => {
    const match = await newMatch(context, { ...BOTH, rules: 'bga+pinochle' });
    await (await Table.open(page, match.id)).turn();
  },
  help: dialog(/\?|Help|Hilfe/),
  settings: dialog(/Settings|Einstellungen/),
  more: dialog(/More|Mehr/),
  invitation: async (page, context) => {
    const match = await newMatch(context, { ...BOTH, opponent: { kind: 'friend' } });
    await Table.open(page, match.id);
    await expect(page.getByTestId('invite').getByRole('textbox')).toBeVisible();
  },
  join: async (page, _, somebody) => {
    const match = await foreign(somebody);
    await page.goto(match.invitation ?? '');
    await expect(page.getByTestId('join')).toBeVisible();
  },
  watching: async (page, _, somebody) => {
    const match = await foreign(somebody);
    await page.goto(match.watch);
    await expect(page.getByTestId('link')).toHaveAttribute('data-link', 'live');
  },
  'no such match': async (page) => {
    await page.goto('/match/00000000000000000000000000000000');
    await expect(page.getByTestId('problem')).toBeVisible();
  },
  'no such page': async (page) => {
    await page.goto('/nowhere');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'best players': async (page) => {
    await page.goto('/players');
    await expect(page.getByTestId('empty').or(page.getByTestId('leaders'))).toBeVisible();
  },
  'lobby with the form': async (page) => {
    await page.goto('/play');
    await page.getByTestId('lobby-settings').locator('summary').click();
    await expect(page.getByTestId('make-offer')).toBeVisible();
  },
  'puzzle solution': async (page) => {
    await page.goto('/puzzles');
    await page.getByTestId('give-up').click();
    await expect(page.getByTestId('after')).toContainText(/\d{3}/);
  },
  'lesson after a wrong action': async (page) => {
    await page.goto('/learn/mate');
    await page.locator('[data-card="7s"]').click({ position: { x: 9, y: 9 } });
    await page.locator('[data-action="7s"]').click();
    await expect(page.getByTestId('retry')).toBeVisible();
  },
  progress: async (page, context) => {
    const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'level', level: 3 } });
    await finish(context, match.id);
    await page.goto('/me');
    await expect(page.getByTestId('waiting')).toHaveAttribute('data-waiting', '0');
    await page.getByTestId('games').locator('summary').click();
    await expect(page.getByTestId('games').locator('tbody tr')).toHaveCount(4);
  },
  'link to another browser': async (page) => {
    await page.goto('/me');
    await page.getByTestId('make-link').click();
    await expect(page.getByTestId('typed-code')).toBeVisible();
  },
  device: async (page, context) => {
    await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
    await page.goto('/device');
    await expect(page.getByTestId('own')).toBeVisible();
  },
  'new account': async (page) => {
    await page.goto('/me');
    await page.getByTestId('make-account').click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'sign-in': async (page, context) => {
    await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
    await page.goto('/sign-in');
    await expect(page.getByTestId('own')).toBeVisible();
  },
  privacy: async (page) => {
    await page.goto('/privacy');
    await expect(page.getByTestId('privacy')).toBeVisible();
  },
  guide: async (page) => {
    await page.goto('/guide');
    await expect(page.getByTestId('guide-deal').first()).toBeVisible();
    await expect(page.getByTestId('rule-sets')).toBeVisible();
  },
  rules: async (page) => {
    await page.goto('/rules');
    await page.getByTestId('example').first().locator('summary').click();
    await expect(page.getByTestId('example').first().getByTestId('board')).toBeVisible();
  }
};

/** Checks that a page is not wider than the window. */
async function fits(page: Page, width: number, name: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, `${name} in a window of ${width}`).toBeLessThanOrEqual(width);
}

/**
 * Changes the colour scheme, and waits until the page is redrawn. Without the wait, the accessibility check
 * could read colours in the middle of a transition.
 */
async function changeScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((colorScheme) => {
    const [red = 0] = /\d+/.exec(getComputedStyle(document.documentElement).backgroundColor) ?? [];
    return Number(red) < 128 === (colorScheme === 'dark');
  }, colorScheme);
  await page.evaluate(async () => {
    // Transitions begin with the first frame after the change.
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

for (const [name, show] of Object.entries(pages)) {
  test(`${name}: accessible and no wider than the window, in light and dark, on desk and phone`, async ({
    page,
    context,
    somebody,
    watch
  }) => {
    watch.allow(NOT_FOUND);
    await page.emulateMedia({ colorScheme: 'light' });
    await show(page, context, somebody);
    const states = [
      { colorScheme: 'light', viewport: DESK.viewport },
      { colorScheme: 'dark', viewport: DESK.viewport },
      { colorScheme: 'light', viewport: PHONE.viewport }
    ] as const;
    for (const { colorScheme, viewport } of states) {
      await page.setViewportSize(viewport);
      await changeScheme(page, colorScheme);
      const axe = new AxeBuilder({ page });
      // The dark theme changes only colours, so that only the contrast is tested again.
      if (colorScheme === 'dark') axe.withRules(['color-contrast']);
      else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
      const { violations, passes, incomplete } = await axe.analyze();
      expect(passes.length + incomplete.length).toBeGreaterThan(colorScheme === 'dark' ? 0 : 10);
      const found = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`)
      );
      expect(found, `${colorScheme}, ${viewport.width} wide`).toEqual([]);
      await fits(page, viewport.width, name);
    }
  });
}

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
  // The sentence gives the number of cards that can answer.
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
    // The points of the example equal the number in its title.
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

test('the page can be installed', async ({ request }) => {
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

for (const locale of ['en-GB', 'de-DE']) {
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
      // A page that comes without the server has the title, too.
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

/** Returns all user texts of a language, by message name. */
function catalogue(locale: string): Record<string, string> {
  const folder = new URL(`../messages/${locale}/`, import.meta.url);
  const texts = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return Object.assign({}, ...texts);
}

test('in German every page fits a phone and has no English sentences', async ({ somebody, watch }) => {
  watch.allow(NOT_FOUND);
  const context = await somebody({ locale: 'de-DE', ...PHONE });
  const page = await context.newPage();
  const [de, en] = [catalogue('de'), catalogue('en')];
  // Only sentences are compared. Names and numbers may be equal in both languages.
  const english = Object.keys(en)
    .filter((key) => de[key] !== en[key])
    .flatMap((key) => (en[key] ?? '').split(/\{[^}]*\}/))
    .map((text) => text.trim())
    .filter((text) => text.split(' ').length >= 3);
  expect(english.length).toBeGreaterThan(100);
  for (const [name, show] of Object.entries(pages)) {
    await show(page, context, somebody);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
    expect(
      english.filter((sentence) => text.includes(sentence)),
      name
    ).toEqual([]);
    await fits(page, PHONE.viewport.width, name);
    // The storage is cleared, so that the next page opens as for a new visitor.
    await page.evaluate(() => localStorage.clear());
  }
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(de.start_title ?? '');
  await expect(page.getByTestId('play')).toHaveText(de.start_play_go ?? '');
});

/** Returns the compressed size in bytes of each script that a page loads, by the script's address. */
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

test('a narrow window has the links of the header in a menu', async ({ somebody }) => {
  const context = await somebody({ viewport: { width: 375, height: 667 } });
  const page = await context.newPage();
  await page.goto('/rules');
  const [menu, links] = [page.getByTestId('menu'), page.getByRole('navigation').getByRole('link')];
  await expect(links).toHaveCount(0);
  await menu.focus();
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
  // When the window becomes wide, the header shows the links.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(links).toHaveCount(8);
  await expect(menu).toBeHidden();
});
