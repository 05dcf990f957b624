// Takes the contact sheet: every situation in every window size, light and dark, on one page.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { SITUATIONS, SIZES } from './support/situations';
import { test } from './support/test';

const FOLDER = new URL('../../target/sheet/', import.meta.url).pathname;

test('takes the pictures of the contact sheet and joins them', async ({ page, somebody }) => {
  test.setTimeout(1_800_000);
  mkdirSync(FOLDER, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [situation, show] of Object.entries(SITUATIONS)) {
      // Each situation has a separate browser, because the server refuses to analyse deals of a browser's running
      // matches.
      const context = await somebody({ colorScheme });
      const shown = await context.newPage();
      await show(shown, context, 'single');
      for (const { width, height } of SIZES) {
        await shown.setViewportSize({ width, height });
        await shown.evaluate(() => document.fonts.ready);
        const path = `${FOLDER}${situation}-${width}x${height}-${colorScheme}.png`;
        await shown.screenshot({ path, animations: 'disabled', caret: 'hide' });
      }
      await context.close();
    }
  }
  const figures = readdirSync(FOLDER)
    .filter((file) => /(light|dark)\.png$/.test(file))
    .map((file) => {
      const data = readFileSync(FOLDER + file).toString('base64');
      return `<figure><img src="data:image/png;base64,${data}"><figcaption>${file}</figcaption></figure>`;
    });
  await page.setViewportSize({ width: 2400, height: 1200 });
  await page.setContent(
    `<style>body{display:flex;flex-wrap:wrap;gap:8px;font:11px sans-serif}figure{margin:0}img{block-size:220px}</style>${figures.join('')}`
  );
  await page.screenshot({ path: `${FOLDER}sheet.png`, fullPage: true });
  console.log(`${figures.length} pictures: ${FOLDER}sheet.png`);
});
