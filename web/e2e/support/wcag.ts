// Checks pages: their German texts, and their accessibility (WCAG) and width in several colour schemes and window sizes.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page, ViewportSize } from '@playwright/test';
import { readFileSync, readdirSync } from 'node:fs';
import { sampled } from './sample';
import { expect } from './test';

export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
export const DESK = { viewport: { width: 1280, height: 800 } };

/** Gives the window of a page a size, and checks that the page is not wider than the window. */
async function fits(page: Page, viewport: ViewportSize, name: string): Promise<void> {
  await page.setViewportSize(viewport);
  // The page width is measured repeatedly, because the layout may still be changing.
  await expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth),
      `${name} in ${viewport.width} pixels`
    )
    .toBeLessThanOrEqual(viewport.width);
}

/**
 * Changes the colour scheme of a page, and waits until the page is redrawn. Without the wait, the accessibility check
 * could read colours in the middle of a transition.
 */
async function changeScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((colorScheme) => {
    const [red = 0] = /\d+/.exec(getComputedStyle(document.documentElement).backgroundColor) ?? [];
    return Number(red) < 128 === (colorScheme === 'dark');
  }, colorScheme);
  await page.evaluate(async () => {
    // CSS transitions begin with the first frame after the change of the colour scheme.
    await new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame)));
    await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  });
}

/** Colour schemes and window sizes in which the pages are checked. */
const LOOKS = [
  { colorScheme: 'light', viewport: DESK.viewport },
  { colorScheme: 'dark', viewport: DESK.viewport },
  { colorScheme: 'light', viewport: PHONE.viewport }
] as const;

/**
 * Checks that a page is accessible, and that it fits the width of a desktop window and of a phone. A thorough run
 * checks the accessibility in all of `LOOKS`, other runs in one of them.
 */
export async function holdsWcag(page: Page, name: string): Promise<void> {
  for (const { colorScheme, viewport } of sampled(LOOKS, name)) {
    await page.setViewportSize(viewport);
    await changeScheme(page, colorScheme);
    // Without the legacy mode, Axe opens a further page for each check, to read frames of other origins. The
    // pages of the site have no frames.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    // The option `resultTypes` makes Axe list every element that breaks a rule, but at most one of the elements that
    // pass the rule. This takes less time.
    axe.options({ resultTypes: ['violations'] });
    axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
    const { violations, passes, incomplete } = await axe.analyze();
    expect(passes.length + incomplete.length).toBeGreaterThan(10);
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`)
    );
    expect(found, `${name}, ${colorScheme}, ${viewport.width} wide`).toEqual([]);
  }
  for (const { viewport } of [DESK, PHONE]) await fits(page, viewport, name);
}

/** Returns all texts of the user interface in a language, by message name. */
export function catalogue(locale: string): Record<string, string> {
  const folder = new URL(`../../messages/${locale}/`, import.meta.url);
  const texts = readdirSync(folder).map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
  return Object.assign({}, ...texts);
}

/** Returns the English sentences of the user interface that differ from their German translations. */
function englishSentences(): string[] {
  const [de, en] = [catalogue('de'), catalogue('en')];
  // Texts of fewer than three words are left out, because names and numbers may be equal in English and German.
  return Object.keys(en)
    .filter((key) => de[key] !== en[key])
    .flatMap((key) => (en[key] ?? '').split(/\{[^}]*\}/))
    .map((text) => text.trim())
    .filter((text) => text.split(' ').length >= 3);
}

/** Checks that a page is in German and contains no English sentences. */
export async function holdsGerman(page: Page, name: string): Promise<void> {
  const english = englishSentences();
  expect(english.length).toBeGreaterThan(100);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const text = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
  expect(
    english.filter((sentence) => text.includes(sentence)),
    name
  ).toEqual([]);
}
