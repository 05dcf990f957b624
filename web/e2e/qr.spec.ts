// Tests that a QR decoder finds and reads the site's QR codes in screenshots of the whole browser window.
import type { Locator, Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { newMatch } from './support/api';
import { Table } from './support/table';
import { expect, test } from './support/test';

test.use({ viewport: { width: 320, height: 568 } });

/**
 * Decodes the QR code in a screenshot of the whole browser window. The screenshot contains the surroundings of the
 * code, as a camera picture does. Also returns the brightness of the centres of the code's large squares, which are
 * light in an inverted code. Many scanners cannot read inverted codes, but the decoder can.
 */
async function decoded(page: Page): Promise<{ text: string; centres: number[] }> {
  const png = (await page.screenshot()).toString('base64');
  const { width, height, pixels } = await page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = picture;
    const pen = new OffscreenCanvas(width, height).getContext('2d');
    pen?.drawImage(picture, 0, 0);
    // Playwright takes seconds to return the pixels of a screenshot as an array of numbers, and much less time to
    // return a string.
    let text = '';
    for (const byte of pen?.getImageData(0, 0, width, height).data ?? []) text += String.fromCharCode(byte);
    return { width, height, pixels: btoa(text) };
  }, png);
  const data = Uint8ClampedArray.from(Buffer.from(pixels, 'base64'));
  let centres: number[] = [];
  const text = decodeQR(
    { width, height, data },
    {
      // By default, the QR decoder stops its retries after a sixtieth of a second.
      timeLimit: 10_000,
      pointsOnDetect: ({ tl, tr, bl }) => {
        const at = [tl, tr, bl].map(({ x, y }) => 4 * (Math.round(y) * width + Math.round(x)));
        centres = at.map((place) => data[place] ?? 255);
      }
    }
  );
  return { text, centres };
}

/** Decodes a shown QR code in the light and in the dark colour scheme, and compares the decoded text with a link. */
async function check(page: Page, code: Locator, link: string): Promise<void> {
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/./);
  const papers = new Set<string>();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await code.scrollIntoViewIfNeeded();
    const { text, centres } = await decoded(page);
    expect(text, colorScheme).toBe(link);
    expect(centres.length, colorScheme).toBe(3);
    expect(Math.max(...centres), colorScheme).toBeLessThan(64);
    papers.add(await page.getByRole('dialog').evaluate((dialog) => getComputedStyle(dialog).backgroundColor));
  }
  expect(papers.size, 'colours of the paper').toBe(2);
}

test('the code to add a browser holds its link', async ({ page, context }) => {
  await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  await page.goto('/me');
  await page.getByTestId('make-link').click();
  const dialog = page.getByRole('dialog');
  await check(page, dialog.getByRole('img'), await dialog.getByRole('textbox').inputValue());
});

test('the code of an invitation holds its link', async ({ page, context }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' } });
  await Table.open(page, match.id);
  const invite = page.getByTestId('invite');
  const link = await invite.getByRole('textbox').inputValue();
  await invite.getByRole('button', { name: 'QR' }).click();
  await check(page, page.getByRole('dialog').getByRole('img'), link);
});
