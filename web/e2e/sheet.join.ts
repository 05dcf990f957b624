// Joins the parts of the contact sheet (overview of screenshots) into one picture and one HTML page.
import { expect, test } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { documentOf, FOLDER, pageOf, PARTS } from './support/sheet';
import { SIZES } from './support/situations';

test('the contact sheet', async ({ page }) => {
  const names = Object.keys(PARTS);
  writeFileSync(`${FOLDER}index.html`, documentOf(names.map(pageOf).join('')));
  const joined = `${FOLDER}joined.html`;
  writeFileSync(joined, documentOf(names.map((name) => `<img alt="" src="${name}.png">`).join('')));
  await page.goto(`file://${joined}`);
  await page.screenshot({ path: `${FOLDER}sheet.png`, fullPage: true });
  const parts = await page.evaluate(
    () => [...document.images].filter(({ naturalWidth }) => naturalWidth > 0).length
  );
  expect(parts).toBe(names.length);
  const pictures = Object.values(PARTS).map(({ columns }) => Object.keys(columns).length * SIZES.length);
  console.log(
    `${pictures.reduce((sum, count) => sum + count)} pictures: ${FOLDER}sheet.png, ${FOLDER}index.html`
  );
});
