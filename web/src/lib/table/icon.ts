// Marks the page's icon in the browser tab with a dot while it is the player's turn in a match against a person.

const MARKED = '/favicon-turn.svg';

/** Marks the page's icon in the browser tab with a dot. Returns the function that restores the icon. */
export function markIcon(): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  if (!icon) return () => {};
  const before = icon.href;
  icon.href = MARKED;
  return () => (icon.href = before);
}
