// Takes the pictures of the contact sheet (overview of screenshots), and measures the cards in every window size.
import type { Page } from '@playwright/test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { documentOf, FOLDER, pageOf, PARTS, pictureOf } from './support/sheet';
import { DECKS, SITUATIONS, SIZES, type Deck } from './support/situations';
import { test } from './support/test';

for (const [name, { deck, colorScheme, locale, columns }] of Object.entries(PARTS)) {
  test(`the part ${name} of the contact sheet`, async ({ page, somebody }) => {
    test.setTimeout(1_800_000);
    mkdirSync(`${FOLDER}${name}`, { recursive: true });
    for (const [column, show] of Object.entries(columns)) {
      // Each column of the contact sheet (overview of screenshots) has pictures from a separate browser. The server
      // refuses to analyse a deal for a player who is playing this deal against another person.
      const context = await somebody({ colorScheme, locale });
      const shown = await context.newPage();
      await show(shown, context, deck, somebody);
      for (const size of SIZES) {
        await shown.setViewportSize({ width: size.width, height: size.height });
        await shown.evaluate(() => document.fonts.ready);
        const path = `${FOLDER}${pictureOf(name, column, size)}`;
        await shown.screenshot({ path, animations: 'disabled', caret: 'hide' });
      }
      await context.close();
    }
    writeFileSync(`${FOLDER}${name}.html`, documentOf(pageOf(name)));
    await page.goto(`file://${FOLDER}${name}.html`);
    await page.setViewportSize(
      await page.evaluate(() => {
        const { width, height } = document.body.getBoundingClientRect();
        return { width: Math.ceil(width), height: Math.ceil(height) };
      })
    );
    // The window is as large as the contact sheet, so that the browser loads every picture of the sheet.
    await page.waitForFunction(() =>
      [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth > 0)
    );
    await page.screenshot({ path: `${FOLDER}${name}.png` });
  });
}

/** Returns the rounded width and height of a board cell as soon as both sizes are stable over six animation frames. */
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
