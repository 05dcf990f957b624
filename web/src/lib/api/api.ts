// The client of the server's API, one function for each request.
import createClient from 'openapi-fetch';
import { asProblem, Problem, problemIn } from './problem';
import type { paths } from './schema';
import type {
  Analysis,
  AnalysisRequest,
  Hint,
  Invitation,
  MatchState,
  MatchSummary,
  NewMatch,
  Privacy,
  Review,
  RuleFacts,
  RuleSets
} from './types';

const client = createClient<paths>({ baseUrl: typeof location === 'undefined' ? '' : location.origin });

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the data of an answer, or throws a `Problem`. */
async function answer<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  let got: Answer<Data>;
  try {
    got = await request;
  } catch (thrown) {
    throw asProblem(thrown);
  }
  const { data, error, response } = got;
  if (!response.ok) throw problemIn(error, response.status);
  if (data === undefined) throw new Problem('unknown', `HTTP ${response.status}`, response.status);
  return data;
}

// Requests with a `client_id` are idempotent.
const on = (id: string) => ({ params: { path: { id } } });

let known: Promise<void> | null = null;

/**
 * Gets an identity cookie before this browser takes its first seat. Without the cookie the server could not recognise a
 * repeated first request whose answer was lost: it would begin a second match, or find the invitation used.
 */
function beKnown(): Promise<void> {
  known ??= answer(client.POST('/api/v1/identity').then((got) => ({ ...got, data: null }))).then(
    () => {},
    (thrown: unknown) => {
      known = null;
      throw thrown;
    }
  );
  return known;
}

export async function createMatch(body: NewMatch): Promise<MatchState> {
  await beKnown();
  return answer(client.POST('/api/v1/matches', { body }));
}

export const myMatches = async (): Promise<MatchSummary[]> =>
  (await answer(client.GET('/api/v1/matches'))).matches;

/** Returns the match as this browser may see it; with `wait`, once its sequence exceeds `after` or after `wait` seconds. */
export async function readMatch(
  id: string,
  watch: string | null,
  poll?: { after: number | undefined; wait: number; signal: AbortSignal }
): Promise<MatchState> {
  const query = {
    ...(watch && { watch }),
    ...(poll?.after !== undefined && { after: poll.after, wait: poll.wait })
  };
  const init = { params: { path: { id }, query }, ...(poll && { signal: poll.signal }) };
  return answer(client.GET('/api/v1/matches/{id}', init));
}

export const actOn = (
  id: string,
  body: { sequence: number; action: string; client_id: string }
): Promise<MatchState> => answer(client.POST('/api/v1/matches/{id}/actions', { ...on(id), body }));

export const resign = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/resign', { ...on(id), body: { client_id } }));

export const undo = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/undo', { ...on(id), body: { client_id } }));

export const hint = (id: string, client_id: string): Promise<Hint> =>
  answer(client.POST('/api/v1/matches/{id}/hint', { ...on(id), body: { client_id } }));

export const rematch = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/rematch', { ...on(id), body: { client_id } }));

export const review = (id: string, game: number, watch: string | null): Promise<Review> =>
  answer(
    client.GET('/api/v1/matches/{id}/review', {
      params: { path: { id }, query: { game, ...(watch && { watch }) } }
    })
  );

export const invitation = (token: string): Promise<Invitation> =>
  answer(client.GET('/api/v1/invitations/{token}', { params: { path: { token } } }));

export async function join(token: string, name: string): Promise<MatchState> {
  await beKnown();
  const body = name ? { name } : {};
  return answer(client.POST('/api/v1/invitations/{token}', { params: { path: { token } }, body }));
}

export const analyse = (body: AnalysisRequest, signal?: AbortSignal): Promise<Analysis> =>
  answer(client.POST('/api/v1/analysis', { body, ...(signal && { signal }) }));

export const ruleFacts = (id: string): Promise<RuleFacts> => answer(client.GET('/api/v1/rules/{id}', on(id)));

/** Returns the published rule sets and variations. */
export const ruleSets = (): Promise<RuleSets> => answer(client.GET('/api/v1/rules'));

/** Returns how long this server keeps data. */
export const privacyFacts = (): Promise<Privacy> => answer(client.GET('/api/v1/privacy'));

/** Address of the export of everything that the server keeps about this browser. */
export const exportAddress = '/api/v1/me/export';

/** Erases everything that the server keeps about this browser. */
export async function erase(): Promise<void> {
  await answer(client.DELETE('/api/v1/me').then((got) => ({ ...got, data: null })));
  known = null;
}

/** Returns the address of the record of a match. */
export const recordAddress = (id: string, watch: string | null): string =>
  `/api/v1/matches/${id}/record${watch ? `?watch=${encodeURIComponent(watch)}` : ''}`;
