// Sends requests to the server, and requests an identity cookie before the first request that needs an identity.
import createClient from 'openapi-fetch';
import { signedOut } from '$lib/people/signedout.svelte';
import { dropPush } from '$lib/people/subscription';
import { dropReports } from '$lib/puzzles/openreports';
import { fetchInTime } from './limits';
import { asProblem, Problem, problemIn } from './problem';
import type { paths } from './schema';
import { noteServerTime } from './servertime';

/** Client of the server's API, whose requests have a timeout. */
export const client = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  fetch: fetchInTime
});

/** Response of the server, with its parsed body as data or as an error. */
export interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the data of a successful response, and throws a `Problem` for an error response. */
export async function answer<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  let got: Answer<Data>;
  try {
    got = await request;
  } catch (thrown) {
    throw asProblem(thrown);
  }
  const { data, error, response } = got;
  noteServerTime(response);
  if (!response.ok) {
    const problem = problemIn(error, response.status);
    if (problem.code === 'signed-out') {
      // The error code `signed-out` means that the server no longer accepts this browser's identity cookie. The page
      // must then ask for an identity cookie again. The server refuses the first request for a new cookie, and removes
      // the old cookie with this refusal.
      known = null;
      signedOut.shown = true;
      dropReports();
      // A sign-in waits for the end of the push subscription, which it would otherwise register again.
      await dropPush();
    }
    throw problem;
  }
  if (data === undefined) throw new Problem('unknown', `HTTP ${response.status}`, response.status);
  return data;
}

/** Waits for a successful response without data, and throws a `Problem` for an error response. */
export async function done(request: Promise<Answer<unknown>>): Promise<void> {
  await answer(request.then((got) => ({ ...got, data: null })));
}

/**
 * Waits for a deletion. The deletion also succeeds if there is nothing left to delete, because the response to an
 * earlier request may have been lost.
 */
export async function gone(request: Promise<Answer<unknown>>): Promise<void> {
  try {
    await done(request);
  } catch (thrown) {
    if (asProblem(thrown).code !== 'not-found') throw thrown;
  }
}

/** Returns the path parameters of a request for a resource with an id. */
export const on = (id: string) => ({ params: { path: { id } } });

let known: Promise<void> | null = null;

/**
 * Stores `request`, whose response sets the identity cookie. Every later request that needs an identity waits for this
 * response. After a failure, the next request asks for the cookie again, unless a newer request already does. A browser
 * with a new identity goes on without the matches of its former identity.
 */
function becomeKnown(request: Promise<unknown>): Promise<void> {
  const own = request.then(() => void (signedOut.shown = false));
  known = own;
  own.catch(() => {
    if (known === own) known = null;
  });
  return own;
}

/**
 * Requests an identity cookie before this browser takes its first seat in a match. A browser without a cookie
 * cannot be recognised when it repeats a request: the server would begin a second match, or find the
 * invitation used.
 */
export const beKnown = (): Promise<void> => known ?? becomeKnown(done(client.POST('/api/v1/identity')));

/**
 * Requests an identity cookie before a sign-in, or before a code connects this browser with a player. Such a request
 * does not need the former identity of a browser that was signed out.
 */
export async function beKnownToJoin(): Promise<void> {
  // Another browser may have signed this browser out since the last response. The server then says so to the new request,
  // before the reports and the push subscription of the former identity could pass to the next one. A request that still
  // runs ends first, because a browser without a cookie would otherwise get two identities.
  await known?.catch(() => undefined);
  forgetIdentity();
  try {
    await beKnown();
  } catch (thrown) {
    if (asProblem(thrown).code !== 'signed-out') throw thrown;
    signedOut.shown = false;
    await beKnown();
  }
}

/**
 * Sends a request that needs an identity. For a new browser, the response also sets the identity cookie. The first
 * request of a browser does not wait for another request for the cookie, because a page that is closed meanwhile would
 * not send the request.
 */
export function sendAtOnce<Data>(send: () => Promise<Data>): Promise<Data> {
  if (known) return known.then(send);
  const sent = send();
  void becomeKnown(sent);
  return sent;
}

/** Makes this page request the identity cookie again before the next request that needs an identity. */
export function forgetIdentity(): void {
  known = null;
}
