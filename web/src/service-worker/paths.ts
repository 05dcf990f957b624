// Computes the name of the cache for a version of the site, and distinguishes the URL paths of pages from other URL
// paths.

/**
 * Returns the name of the cache for a version of the site. The name is a checksum (FNV-1a) of the names of the
 * version's built files and of the template of the HTML file. A built file's name contains a hash of its content.
 */
export function cacheName(build: string[], template: string): string {
  let sum = 0x811c9dc5;
  for (const character of [...build.toSorted(), template].join('\n'))
    sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `overmate-${(sum >>> 0).toString(16)}`;
}

/** Pattern of the URL paths that show no page, such as those of the API, the feeds and the health checks. */
const NO_PAGES = /^\/(api|feeds|healthz|readyz|\.well-known)(\/|$)/;

/** Returns whether a URL path belongs to a page, rather than to the server's interface or a file. */
export const isPagePath = (path: string): boolean => !NO_PAGES.test(path) && !/\.[^/]*$/.test(path);
