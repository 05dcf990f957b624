// Moves the keyboard focus in browser tests.
import { expect, type Locator } from '@playwright/test';

/**
 * Moves the keyboard focus to an element as soon as the element is visible, and asserts that the element has the
 * focus. `Locator.focus` does nothing if the element is still hidden or disabled, so that the next key press would be
 * lost.
 */
export async function focusOn(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await target.focus();
  await expect(target).toBeFocused();
}
