// Changes the icon of the page, which shows a dot while the player is to act against a friend.

const MARKED = '/favicon-turn.svg';

/** Marks the icon of the page, and returns the function that restores the icon. */
export function markIcon(): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  if (!icon) return () => {};
  const before = icon.href;
  icon.href = MARKED;
  return () => (icon.href = before);
}
