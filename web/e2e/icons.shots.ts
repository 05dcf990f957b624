// Draws the icons of the web page in all required sizes from the icon of the browser tab.
import { readFileSync } from 'node:fs';
import { test } from './support/test';

const STATIC = new URL('../static/', import.meta.url);

/**
 * Icon files of the site, drawn from the icon of the browser tab (favicon). Each has a size in pixels, and the fraction
 * of the size that the drawing covers.
 */
const icons = [
  { name: 'icon-32', size: 32, part: 1, filled: false },
  { name: 'icon-192', size: 192, part: 1, filled: false },
  { name: 'icon-512', size: 512, part: 1, filled: false },
  // Operating systems round the corners of `icon-180`, and cut a maskable icon down to its inner 80 %. A filled
  // background leaves no gaps.
  { name: 'icon-180', size: 180, part: 0.8, filled: true },
  { name: 'icon-maskable', size: 512, part: 0.66, filled: true }
];

test('icons', async ({ page }) => {
  const svg = readFileSync(new URL('favicon.svg', STATIC), 'utf8');
  for (const { name, size, part, filled } of icons) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>
      body { margin: 0; block-size: 100vh; display: grid; place-items: center; ${filled ? 'background: #f4eee1' : ''} }
      svg { inline-size: ${100 * part}vw; block-size: ${100 * part}vw }
    </style>${svg}`);
    await page.screenshot({ path: new URL(`${name}.png`, STATIC).pathname, omitBackground: !filled });
  }
});
