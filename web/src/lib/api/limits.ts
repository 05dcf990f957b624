// Aborts requests that stay unanswered for longer than a time limit.

/**
 * Timeout of an HTTP request in milliseconds. The time for which the request asks the server to wait for a change is
 * added.
 */
const LIMIT_MS = 15_000;

/**
 * Timeout in milliseconds of HTTP requests that may search positions, or that transfer a whole match or all data of a
 * player.
 */
const LONG_LIMIT_MS = 120_000;

/** Pattern of the URL paths whose HTTP requests have the timeout `LONG_LIMIT_MS`. */
const LONG = /\/(analysis|choices|hint|matches\/offline|me|progress|review|shared-deals\/.*)$/;

/** Returns the timeout, in milliseconds, of an HTTP request to a given URL. */
export function limitOf(address: string): number {
  const { pathname, searchParams } = new URL(address);
  const wait = Number(searchParams.get('wait') ?? 0) * 1000;
  return wait + (LONG.test(pathname) ? LONG_LIMIT_MS : LIMIT_MS);
}

/** Sends an HTTP request, and aborts the request at its timeout. */
export function fetchInTime(request: Request): Promise<Response> {
  // Browsers before 2024 cannot combine two abort signals. In such a browser, the browser's own time limit
  // applies.
  if (!('any' in AbortSignal)) return fetch(request);
  const limit = AbortSignal.timeout(limitOf(request.url));
  return fetch(request, { signal: AbortSignal.any([request.signal, limit]) });
}
