// Aborts requests that stay unanswered for longer than a time limit.

/** Time limit of a request in milliseconds, besides the time that the server is asked to wait for a change. */
const LIMIT_MS = 15_000;

/** Time limit in milliseconds of requests that compute values, or carry a match or all data of a player. */
const LONG_LIMIT_MS = 120_000;

/** Paths of requests with the long time limit. */
const LONG = /\/(analysis|choices|hint|matches\/offline|me|progress|review|shared-deals\/.*)$/;

/** Returns the time limit of the request for an address, in milliseconds. */
export function limitOf(address: string): number {
  const { pathname, searchParams } = new URL(address);
  const wait = Number(searchParams.get('wait') ?? 0) * 1000;
  return wait + (LONG.test(pathname) ? LONG_LIMIT_MS : LIMIT_MS);
}

/** Sends a request, and aborts it at its time limit. */
export function fetchInTime(request: Request): Promise<Response> {
  // Browsers before 2024 cannot combine two abort signals. There the time limit of the browser itself
  // applies.
  if (!('any' in AbortSignal)) return fetch(request);
  const limit = AbortSignal.timeout(limitOf(request.url));
  return fetch(request, { signal: AbortSignal.any([request.signal, limit]) });
}
