// Takes a contact sheet for each deck, colour scheme and language, and measures the cards in every window size.
import type { Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { DECKS, PAGES, SITUATIONS, SIZES, type Deck, type Show } from './support/situations';
import { test } from './support/test';

const FOLDER = new URL('../../target/sheet/', import.meta.url).pathname;
/** Scale of the pictures on a contact sheet: the size of a picture divided by the size of the window. */
const SCALE = 0.3;

interface Sheet {
  deck: Deck;
  colorScheme?: 'light' | 'dark';
  locale?: string;
  rows?: Record<string, Show>;
}

const SHEETS: Record<string, Sheet> = {
  single: { deck: 'single' },
  double: { deck: 'double' },
  chess: { deck: 'chess' },
  pinochle: { deck: 'pinochle' },
  'single-dark': { deck: 'single', colorScheme: 'dark' },
  'double-dark-german': { deck: 'double', colorScheme: 'dark', locale: 'de-DE' },
  'single-german': { deck: 'single', locale: 'de-DE' },
  'pinochle-dark': { deck: 'pinochle', colorScheme: 'dark' },
  pages: { deck: 'single', rows: PAGES },
  'pages-dark-german': { deck: 'single', colorScheme: 'dark', locale: 'de-DE', rows: PAGES }
};

for (const [name, { deck, colorScheme = 'light', locale = 'en-GB', rows = SITUATIONS }] of Object.entries(
  SHEETS
)) {
  test(`the contact sheet ${name}`, async ({ page, somebody }) => {
    test.setTimeout(1_800_000);
    const folder = `${FOLDER}${name}/`;
    mkdirSync(folder, { recursive: true });
    const table: string[] = [];
    for (const [row, show] of Object.entries(rows)) {
      // Each row has its own browser, because the server does not analyse deals of a browser's running matches.
      const context = await somebody({ colorScheme, locale });
      const shown = await context.newPage();
      await show(shown, context, deck);
      const pictures: string[] = [];
      for (const { width, height } of SIZES) {
        await shown.setViewportSize({ width, height });
        await shown.evaluate(() => document.fonts.ready);
        const path = `${folder}${row.replace(/\W+/g, '-')}-${width}x${height}.png`;
        const data = await shown.screenshot({ path, animations: 'disabled', caret: 'hide' });
        pictures.push(
          `<td><img width="${width * SCALE}" alt="" src="data:image/png;base64,${data.toString('base64')}"></td>`
        );
      }
      table.push(`<tr><th>${row}</th>${pictures.join('')}</tr>`);
      await context.close();
    }
    const heads = SIZES.map(({ width, height }) => `<th>${width} × ${height}</th>`);
    const style =
      'body{margin:0;font:16px sans-serif;background:#bbb}td{vertical-align:top}img{display:block}';
    await page.setViewportSize({ width: 3400, height: 1200 });
    await page.setContent(
      `<style>${style}</style><table><tr><th>${name}</th>${heads.join('')}</tr>${table.join('')}</table>`
    );
    await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true });
    console.log(`${table.length * SIZES.length} pictures: ${FOLDER}${name}.png`);
  });
}

/** Returns the width and height of a cell of the board, once both stay equal from frame to frame. */
function settledSize(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const size = () => {
      const { width, height } =
        document.querySelector('[role="gridcell"]')?.getBoundingClientRect() ?? new DOMRect();
      return `${Math.round(width)} × ${Math.round(height)}`;
    };
    for (let before = ''; ;) {
      const now = size();
      if (now === before) return now;
      before = now;
      for (let frames = 0; frames < 6; frames += 1) await frame();
    }
  });
}

test('the table of card sizes', async ({ somebody }) => {
  const decks = Object.keys(DECKS) as Deck[];
  const measured = new Map<string, string[]>();
  for (const deck of decks) {
    const context = await somebody();
    const shown = await context.newPage();
    await SITUATIONS.lead?.(shown, context, deck);
    for (const { width, height } of SIZES) {
      await shown.setViewportSize({ width, height });
      const size = await settledSize(shown);
      const window = `${width} × ${height}`;
      measured.set(window, [...(measured.get(window) ?? []), size]);
    }
    await context.close();
  }
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rows = [...measured].map(([window, sizes]) => line([window, ...sizes]));
  const markdown = [line(['window', ...decks]), line(['---', ...decks.map(() => '---')]), ...rows].join('\n');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}cards.md`, `${markdown}\n`);
  console.log(markdown);
});
