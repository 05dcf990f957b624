// Keyboard shortcuts of every page with a board.
import { settings } from '$lib/settings.svelte';

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'h', 'j', 'k', 'l'];

/** Runs the shortcut of a key; arrow keys focus the board. Does nothing in text fields, or when the shortcuts are switched off. */
export function press(
  event: KeyboardEvent,
  keys: Record<string, () => void>,
  board: { focus: () => void } | undefined
): void {
  const target = event.target as HTMLElement;
  if (!settings.keys || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, select, textarea, dialog')) return;
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (act) {
    event.preventDefault();
    act();
  } else if (board && ARROWS.includes(event.key) && !target.closest('.hand, table, [role="region"]')) {
    event.preventDefault();
    board.focus();
  }
}
