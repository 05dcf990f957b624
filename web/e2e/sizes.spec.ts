// Measures the layout of the site's pages, and of many situations in a match, with every deck and in every window size.
// Important elements must be visible, large enough, and not covered.
import type { BrowserContext, Page } from '@playwright/test';
import { newMatch, playBoth, resign } from './support/api';
import { hiddenFaults, layoutFaults, touchFaults } from './support/layout';
import { GERMAN_AT_LEAST, LOCALES, SEED, thorough } from './support/sample';
import { AT_TABLE, DECKS, PAGES, SITUATIONS, SIZES, type Deck, type Size } from './support/situations';
import { openForm, Table } from './support/table';
import { expect, test } from './support/test';

const decks = Object.keys(DECKS) as Deck[];

/** Entry of the test matrix: a situation in a match or another page, with a deck, a language and some window sizes. */
interface Entry {
  name: string;
  deck: Deck;
  locale: string;
  sizes: Size[];
}

/**
 * Generates pseudorandom numbers from 0 (inclusive) to 1 (exclusive) from a seed, by the algorithm
 * mulberry32.
 */
function* random(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
const numbers = random(SEED);

/** Returns values in a random order, which the seed `SEED` determines. */
const shuffled = <Value>(values: Value[]): Value[] =>
  values
    .map((value) => ({ value, key: numbers.next().value }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);

/** Yields all given values repeatedly, each time in a new random order. */
function* forever<Value>(values: Value[]): Generator<Value, never> {
  for (;;) yield* shuffled(values);
}

/**
 * Returns all entries of the test matrix: each situation in a match with each deck, and each other page with one deck.
 * Every situation and page has an entry for each language, with all window sizes.
 */
function whole(): Entry[] {
  const rows = [
    ...Object.keys(SITUATIONS).flatMap((name) => decks.map((deck) => ({ name, deck }))),
    ...Object.keys(PAGES).map((name) => ({ name, deck: 'single' as const }))
  ];
  return rows.flatMap((row) => LOCALES.map((locale) => ({ ...row, locale, sizes: SIZES })));
}

/**
 * Returns a sample of all tested combinations of a page, a deck, a language and window sizes. The sample contains every
 * situation in a match, all other pages, and every deck, language and window size.
 */
function sample(): Entry[] {
  const [deck, locale, size] = [forever(decks), forever([...LOCALES]), forever(SIZES)];
  const entry = (name: string, deck: Deck) => ({
    name,
    deck,
    locale: locale.next().value,
    sizes: [size.next().value, size.next().value]
  });
  return [
    ...Object.keys(SITUATIONS).map((name) => entry(name, deck.next().value)),
    ...Object.keys(PAGES).map((name) => entry(name, 'single'))
  ];
}

const entries = thorough ? whole() : sample();

test('the measured entries contain every situation, deck, language and window', () => {
  const distinct = (values: unknown[]) => new Set(values).size;
  const [situations, pages] = [Object.keys(SITUATIONS), Object.keys(PAGES)];
  expect(distinct(entries.map(({ name }) => name))).toBe(situations.length + pages.length);
  const played = entries.filter(({ name }) => situations.includes(name));
  expect(distinct(played.map(({ deck }) => deck))).toBe(4);
  expect(distinct(played.flatMap(({ sizes }) => sizes))).toBe(11);
  expect(distinct(entries.map(({ locale }) => locale))).toBe(2);
});

const [wide, low] = [
  { width: 1280, height: 800 },
  { width: 1280, height: 600 }
];
const phones = [
  { width: 390, height: 844 },
  { width: 375, height: 667 }
];
/** Window sizes with small height: a phone in landscape, and 1280 × 800 CSS pixels at a zoom of 200 percent. */
const landscape = [
  { width: 844, height: 390 },
  { width: 640, height: 400 }
];

/**
 * Defines a test of a page in a German browser and, in a thorough test run, also in an English browser. Every run tests
 * the German page, because German texts are longer.
 */
function inLanguages(name: string, check: (page: Page, context: BrowserContext) => Promise<void>): void {
  for (const locale of GERMAN_AT_LEAST)
    test(`${locale}: ${name}`, async ({ somebody }) => {
      const context = await somebody({ locale });
      await check(await context.newPage(), context);
    });
}

inLanguages('the analysis shows board, values and best line together', async (page) => {
  await page.goto('/analysis?rules=bga&deal=99999');
  for (const size of [wide, ...phones]) {
    await page.setViewportSize(size);
    const line = page.getByTestId('line').getByRole('button');
    await expect.poll(() => line.count()).toBeGreaterThan(10);
    const together = [page.getByTestId('value'), page.getByTestId('board'), line.first(), line.last()];
    for (const part of together) await expect(part).toBeInViewport({ ratio: 1 });
    await expect(page.locator('[data-card] .tab')).toHaveCount(10);
  }
});

for (const name of ['analysis', 'review', 'puzzles', 'lesson']) {
  inLanguages(`${name}: a low window shows the whole board`, async (page, context) => {
    await { ...SITUATIONS, ...PAGES }[name]?.(page, context, 'single');
    for (const size of landscape) {
      await page.setViewportSize(size);
      const cells = page.locator('[role="gridcell"]');
      await expect(cells).toHaveCount(20);
      // The page may still change its layout and its scroll position after the new size of the window.
      const visible = () =>
        cells.evaluateAll((cells) => {
          scrollTo(0, 0);
          const board = document.querySelector('[data-testid="board"]');
          return [board, ...cells].filter((part) => {
            const { top, left, bottom, right } = part?.getBoundingClientRect() ?? new DOMRect(0, -1);
            return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
          }).length;
        });
      await expect.poll(visible).toBe(21);
    }
  });
}

inLanguages('a low window shows the answers to a demand', async (page, context) => {
  await PAGES['demand, lifted']?.(page, context);
  const dock = page.getByTestId('dock');
  for (const size of [wide, ...landscape, { width: 320, height: 568 }]) {
    await page.setViewportSize(size);
    const why = dock.locator('.why');
    // The text area below the board is not cut, and its text needs no scrolling.
    await expect(why).toBeInViewport({ ratio: 0.99 });
    await expect(why.locator('.chip')).not.toHaveCount(0);
    const words = dock.locator('.words');
    const hidden = () => words.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    await expect.poll(hidden).toBeLessThanOrEqual(1);
  }
});

inLanguages('the score of six games does not scroll in a low window', async (page, context) => {
  const names = { me: 'Anneliese Müller', other: 'Bartholomäus' };
  const match = { rules: 'rael', opponent: { kind: 'both' as const }, deal: '20010', names };
  const begun = await newMatch(context, match);
  expect(begun.games).toBe(6);
  const last = await playBoth(context, begun, ({ current }) => current.index === 5);
  await Table.open(page, last.id);
  for (const size of [low, wide]) {
    await page.setViewportSize(size);
    const score = page.getByTestId('score');
    await expect(score).toBeInViewport({ ratio: 1 });
    const hidden = () =>
      score.evaluate((table) => {
        const box = table.closest('.score');
        return box ? [box.scrollHeight - box.clientHeight, box.scrollWidth - box.clientWidth] : null;
      });
    await expect.poll(hidden).toEqual([0, 0]);
    await expect(page.getByTestId('total-b')).toBeInViewport({ ratio: 1 });
  }
});

inLanguages('the first explanation leaves the whole score visible', async (page, context) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await PAGES.coach?.(page, context);
  await expect(page.getByTestId('coach')).toBeInViewport({ ratio: 1 });
  await expect(page.getByTestId('total-b')).toBeInViewport({ ratio: 1 });
});

inLanguages('the first explanation does not scroll below an invitation', async (page, context) => {
  await PAGES.coach?.(page, context);
  const begun = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, lead: 'me' });
  await Table.open(page, begun.id);
  for (const height of [700, 790, 850, 900]) {
    await page.setViewportSize({ width: 1280, height });
    await expect(page.getByTestId('invite')).toBeInViewport({ ratio: 1 });
    await expect(page.getByTestId('coach')).toBeInViewport({ ratio: 1 });
  }
});

inLanguages('a long explanation does not move the actions of a high window', async (page, context) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await PAGES['demand, lifted']?.(page, context);
  const dock = page.getByTestId('dock');
  await page.evaluate(() => document.fonts.ready);
  const explained = await dock.boundingBox();
  await page.getByTestId('cancel').click();
  await expect(page.getByTestId('cancel')).toHaveCount(0);
  await expect.poll(() => dock.boundingBox()).toEqual(explained);
});

test('a large window shows the finished games, and a high phone the cards of each move', async ({
  somebody
}) => {
  const context = await somebody();
  const page = await context.newPage();
  const begun = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  const match = await playBoth(
    context,
    begun,
    ({ current }) => current.index === 1 && current.steps.length === 3
  );
  await page.setViewportSize({ width: 1920, height: 1080 });
  await Table.open(page, match.id);
  const points = match.finished[0]?.outcome?.points ?? 0;
  expect(points).toBeGreaterThan(0);
  const finished = page.getByTestId('finished').getByRole('listitem');
  await expect(finished).toHaveCount(1);
  await expect(finished).toBeInViewport({ ratio: 1 });
  await expect(finished).toContainText(`Game 1: ${points}`);
  const cards = page.getByTestId('track').getByRole('img');
  await expect(cards).toHaveCount(3);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(finished).toBeHidden();
  for (const card of await cards.all()) await expect(card).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 375, height: 667 });
  for (const card of await cards.all()) await expect(card).toBeHidden();
});

test('the name of the free move does not cover the sign of two identical cards', async ({
  page,
  context
}) => {
  const match = {
    rules: 'bga+free-move+pinochle',
    opponent: { kind: 'both' as const },
    deal: '123456789012'
  };
  const table = await Table.open(page, (await newMatch(context, match)).id);
  await table.card('Ac').click();
  await expect(page.locator('.free .copies')).toHaveCount(2);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const faults = () => page.evaluate(layoutFaults, { table: true, card: size.cell * 0.9, high: 40 });
    await expect.poll(faults, `${size.width} × ${size.height}`).toEqual([]);
  }
});

test('with text of twice the size, a phone shows the board and the status sentence without scrolling', async ({
  page,
  context
}) => {
  const { id } = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  await Table.open(page, id);
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  for (const [width, height] of [
    [360, 640],
    [390, 844]
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const part of ['board', 'status']) await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 });
  }
});

/**
 * Functions that open states of the page with long words, fields or dialogs, by the name of the state.
 */
const WITH_LARGE_TEXT: Record<string, (page: Page, context: BrowserContext) => Promise<void>> = {
  'the start page': async (page) => {
    await openForm(page);
  },
  'the settings': async (page, context) => {
    await PAGES.start?.(page, context);
    await page.getByRole('button', { name: /^(Settings|Einstellungen)$/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'the lobby': async (page, context) => PAGES.lobby?.(page, context),
  'the solution of a puzzle': async (page, context) => {
    await PAGES.puzzles?.(page, context);
    await page.getByTestId('give-up').click();
    await expect(page.getByTestId('solution')).toBeVisible();
  },
  'a review': async (page, context) => SITUATIONS.review?.(page, context, 'single'),
  'the moves and the score': async (page, context) => {
    const match = await newMatch(context, { rules: 'sackson', opponent: { kind: 'both' }, deal: '20010' });
    const played = await playBoth(context, match, ({ current }) => current.steps.length > 9);
    const table = await Table.open(page, match.id);
    const steps = (await table.moves()).locator('.step');
    await expect(steps).toHaveCount(played.current.steps.length);
  },
  'the result of a resigned match': async (page, context) => {
    const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
    await playBoth(context, match, ({ current }) => current.index === 3);
    await resign(context, match.id);
    await Table.open(page, match.id);
    await expect(page.getByTestId('result').locator('.score')).toHaveCount(4);
  },
  'the result of a match': async (page, context) => SITUATIONS.end?.(page, context, 'single')
};

for (const path of ['analysis', 'daily', 'device', 'play', 'sign-in', 'watch'])
  WITH_LARGE_TEXT[`the page /${path}`] = async (page) => {
    await page.goto(`/${path}`);
    await expect(page.locator('.field, article').first()).toBeVisible();
  };

/**
 * Returns descriptions of contents that are wider than the page, the open dialog or the shown result, and of titles,
 * words, points, moves and column heads that are cut or broken. The browser runs the function inside the page.
 */
function largeTextFaults(): string[] {
  const found: string[] = [];
  const box = document.querySelector('dialog[open], [data-testid="result"]');
  for (const { tagName, scrollWidth, clientWidth } of [document.documentElement, ...(box ? [box] : [])])
    if (scrollWidth > clientWidth) found.push(`${tagName} is ${scrollWidth} wide, and has ${clientWidth}`);
  for (const part of box?.querySelectorAll('h2, thead th, .points, .game, .moves, .step, .score') ?? []) {
    const text = part.textContent?.trim() ?? '';
    const { top, height } = part.getBoundingClientRect();
    if (top < (box?.getBoundingClientRect().top ?? 0)) found.push(`${text} is cut at the top`);
    if (part.scrollWidth > part.clientWidth + 1) found.push(`${text} is cut at the side`);
    const isOneLine = height < 2 * parseFloat(getComputedStyle(part).fontSize);
    if (!/\s/.test(text) && !isOneLine && part.tagName !== 'TH') found.push(`${text} is broken`);
  }
  return found;
}

for (const [name, show] of Object.entries(WITH_LARGE_TEXT))
  inLanguages(`${name} fits a phone with large text`, async (page, context) => {
    const browser = await context.newCDPSession(page);
    await show(page, context);
    // Width of the window, and the browser's font size, in CSS pixels. The default font size is 16.
    for (const [width, standard] of [
      [390, 32],
      [320, 32]
    ] as const) {
      await browser.send('Page.setFontSizes', { fontSizes: { standard } });
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate(() => document.fonts.ready);
      await expect.poll(() => page.evaluate(largeTextFaults), `${width} pixels`).toEqual([]);
    }
  });

for (const { name, deck, locale, sizes } of entries) {
  test(`${name}, ${deck} deck, ${locale}: everything that matters is visible and large enough`, async ({
    somebody
  }) => {
    const context = await somebody({ locale });
    const page = await context.newPage();
    const [first = { width: 1280, height: 800 }] = sizes;
    await page.setViewportSize(first);
    await { ...SITUATIONS, ...PAGES }[name]?.(page, context, deck);
    const found: Record<string, string[]> = {};
    for (const { width, height, card, cell } of sizes) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => document.fonts.ready);
      const table = AT_TABLE(name);
      // Cards on pages outside of a match need only the minimum size of a touch target.
      const isMatch = table || name in SITUATIONS;
      const wanted = { card: isMatch ? 0.9 * (deck === 'pinochle' ? cell : card) : 40, high: 40 };
      const faults = async () => [
        ...(await page.evaluate(layoutFaults, { table, ...wanted })),
        ...(table ? await page.evaluate(hiddenFaults) : []),
        ...(await page.evaluate(touchFaults, { wide: 40, high: 43 }))
      ];
      // The layout is measured repeatedly, because elements may still be moving.
      let last: string[] = [];
      await expect
        .poll(async () => (last = await faults()))
        .toEqual([])
        .catch(() => (found[`${width} × ${height}`] = last));
    }
    expect(found).toEqual({});
  });
}
