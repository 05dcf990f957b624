// Measures the layout in every window size, deck and situation: important elements are visible, large enough, and not covered.
import type { Page } from '@playwright/test';
import { AT_TABLE, DECKS, SITUATIONS, SIZES, type Deck, type Size } from './support/situations';
import { expect, test } from './support/test';

const decks = Object.keys(DECKS) as Deck[];
const situations = Object.keys(SITUATIONS);
const thorough = process.env.OVERMATE_THOROUGH === '1';

/**
 * Returns the window sizes for one situation and deck: all sizes, or a sample in which each size, deck and
 * situation occurs.
 */
function sizesOf(situation: number, deck: number): Size[] {
  if (thorough) return SIZES;
  if (deck !== situation % decks.length) return [];
  return [SIZES[situation % SIZES.length], SIZES[(situation * 3 + 5) % SIZES.length]].flatMap(
    (size) => size ?? []
  );
}

/** Returns the faults of the shown page. */
function faults(page: Page, at: { table: boolean; card: number }): Promise<string[]> {
  return page.evaluate(({ table, card }) => {
    const found: string[] = [];
    const { scrollWidth, clientWidth, clientHeight } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
    const name = (element: Element) =>
      element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? element.tagName;
    const inside = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left >= -1 && top >= -1 && right <= clientWidth + 1 && bottom <= clientHeight + 1;
    };
    const covering = document.querySelector('[data-testid="result"]');
    for (const button of document.querySelectorAll('button[data-card][aria-disabled="false"]')) {
      if (!table) button.scrollIntoView({ block: 'center' });
      if (!inside(button)) found.push(`${name(button)} is not wholly in the window`);
      const { left, top, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (!covering && hit?.closest('[data-card]') !== button) found.push(`${name(button)} is covered`);
    }
    for (const cell of document.querySelectorAll('[role="gridcell"]')) {
      const { width, height } = cell.getBoundingClientRect();
      if (width < card || height < 40)
        found.push(`${name(cell)} is ${width} × ${height}, and ${card} are wanted`);
      if (width < 40) found.push(`${name(cell)} is narrower than a finger`);
    }
    const important = table
      ? '[data-testid="dock"], [data-testid="stake"], [data-testid="dock"] .button'
      : '';
    for (const element of important ? document.querySelectorAll(important) : [])
      if (!inside(element)) found.push(`${name(element)} is below the fold`);
    for (const element of document.querySelectorAll(
      'main .button, main .line, main h1, main .axis, main h2'
    )) {
      const { height, width } = element.getBoundingClientRect();
      if (width === 0 || element.closest('.visually-hidden')) continue;
      // A name that is cut off has its whole text as a title.
      const cut = element.scrollWidth > element.clientWidth + 2 && element.clientWidth > 0;
      if (cut && !element.getAttribute('title')) found.push(`the text of ${name(element)} is cut`);
      if (element.matches('.button') && height < 43.5) found.push(`${name(element)} is ${height} high`);
    }
    return found;
  }, at);
}

for (const [number, situation] of situations.entries()) {
  for (const [row, deck] of decks.entries()) {
    const sizes = sizesOf(number, row);
    if (sizes.length === 0) continue;
    test(`${situation}, ${deck} deck: everything that matters is visible and large enough`, async ({
      page,
      context
    }) => {
      const [first = { width: 1280, height: 800 }] = sizes;
      await page.setViewportSize(first);
      await SITUATIONS[situation]?.(page, context, deck);
      for (const { width, height, card, cell } of sizes) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => document.fonts.ready);
        const table = AT_TABLE(situation);
        // If an invitation or a whole page shares the window, cells only have to be large enough to touch.
        const wanted = table && situation !== 'waiting' ? 0.9 * (deck === 'pinochle' ? cell : card) : 40;
        await expect
          .poll(() => faults(page, { table, card: wanted }), { message: `${width} × ${height}` })
          .toEqual([]);
      }
    });
  }
}
