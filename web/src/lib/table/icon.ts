// Changes the icon of the page. A dot shows that the player is to act against a friend.

const MARKED = '/favicon-turn.svg';

/**
 * Marks the page icon with a dot, until the returned function is called. Returns the function that restores
 * the icon.
 */
export function markIcon(): () => void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  if (!icon) return () => {};
  const before = icon.href;
  icon.href = MARKED;
  return () => (icon.href = before);
}
