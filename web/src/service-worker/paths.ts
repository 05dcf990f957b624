// Names the cache of a version, and distinguishes the paths of pages from other paths of the server.

/** Returns the name of the cache for a version with the given files: a checksum (FNV-1a) of their names. */
export function cacheName(build: string[]): string {
  let sum = 0x811c9dc5;
  for (const character of build.toSorted().join('\n'))
    sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `overmate-${(sum >>> 0).toString(16)}`;
}

/** Paths of the server that are no pages: its interface, feeds and health checks. */
const NO_PAGES = /^\/(api|feeds|healthz|readyz|\.well-known)(\/|$)/;

/** Returns whether a path belongs to a page, and not to the server's interface or to a file. */
export const isPagePath = (path: string): boolean => !NO_PAGES.test(path) && !/\.[^/]*$/.test(path);
