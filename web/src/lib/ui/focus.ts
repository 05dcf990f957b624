// Moves the keyboard focus after the focused element has disappeared.
import { tick } from 'svelte';

/**
 * Moves the keyboard focus to an element or component if an update of the page has removed the focused element.
 * Screen readers would otherwise begin again at the top of the page.
 */
export async function refocus(target: () => { focus(): void } | null | undefined): Promise<void> {
  await tick();
  const focused = document.activeElement;
  if (focused && focused !== document.body) return;
  const element = target();
  if (!element) return;
  // Headings and sections can be focused only with the attribute `tabindex`.
  if (element instanceof HTMLElement && !element.hasAttribute('tabindex') && element.tabIndex < 0)
    element.tabIndex = -1;
  element.focus();
}
