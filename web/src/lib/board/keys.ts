// Implements the keyboard control of every page with a board: the shortcuts, and the arrow keys that move the focus on
// the board.
import { settings } from '$lib/settings.svelte';

/**
 * Offset of the focus for each arrow key and the keys h, j, k and l, in columns (positive to the right) and rows
 * (positive down).
 */
const STEPS: Record<string, { right: number; down: number }> = {
  ArrowLeft: { right: -1, down: 0 },
  h: { right: -1, down: 0 },
  ArrowRight: { right: 1, down: 0 },
  l: { right: 1, down: 0 },
  ArrowUp: { right: 0, down: -1 },
  k: { right: 0, down: -1 },
  ArrowDown: { right: 0, down: 1 },
  j: { right: 0, down: 1 }
};

const spotsIn = (element: Element): HTMLElement[] => [
  ...element.querySelectorAll<HTMLElement>('[data-spot]')
];

/**
 * Returns the card or empty cell to which a key moves the focus from the focused cell. Returns null at the edge of
 * the board and for keys without such a meaning.
 */
export function arrowTarget(board: HTMLElement, key: string): HTMLElement | null {
  if (key === 'Home') return spotsIn(board)[0] ?? null;
  if (key === 'End') return spotsIn(board).at(-1) ?? null;
  const step = STEPS[key];
  const here = document.activeElement?.closest<HTMLElement>('[data-spot]');
  const cell = here?.closest('[role="gridcell"]');
  if (!step || !here || !cell) return null;
  const cells = [...board.querySelectorAll('[role="gridcell"]')];
  const columns = cell.parentElement?.querySelectorAll('[role="gridcell"]').length ?? 1;
  const within = spotsIn(cell);
  const part = within.indexOf(here);
  // A cell of the board can hold two cards, one above the other.
  const beside = within[part + step.down];
  if (step.down !== 0 && beside) return beside;
  const next = cells[cells.indexOf(cell) + step.right + step.down * columns];
  if (!next) return null;
  const spots = spotsIn(next);
  if (step.down !== 0) return (step.down > 0 ? spots[0] : spots.at(-1)) ?? null;
  return spots[Math.min(part, spots.length - 1)] ?? null;
}

/**
 * Runs the keyboard shortcut of a pressed key, or moves the focus to the board when an arrow key is pressed. Does
 * nothing in text fields, while a menu is open, and while shortcuts are switched off.
 */
export function press(
  event: KeyboardEvent,
  keys: Record<string, () => void>,
  board: { focus: () => void } | undefined
): void {
  const target = event.target as HTMLElement;
  if (!settings.keys || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest('input, select, textarea, dialog')) return;
  // The browser closes an open menu with Escape, unless the page prevents it.
  if (document.querySelector('[popover]:popover-open')) return;
  const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  if (act) {
    event.preventDefault();
    act();
  } else if (
    board &&
    Object.hasOwn(STEPS, event.key) &&
    !target.closest('[role="grid"], table, [role="region"]')
  ) {
    event.preventDefault();
    board.focus();
  }
}
