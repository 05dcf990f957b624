// The server's API, one function for each thing that the pages ask for.
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
  Review,
  RuleFacts
} from './types';

const client = createClient<paths>({ baseUrl: typeof location === 'undefined' ? '' : location.origin });

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** What was asked for, or a `Problem`. */
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

// What takes a `client_id` is done once under it, however often it is sent.
const on = (id: string) => ({ params: { path: { id } } });

let known: Promise<void> | null = null;

/**
 * Makes this browser somebody, once, before it takes a seat. Otherwise the server could not tell who asks again when
 * the answer to its very first request was lost: the match would be begun twice, the invitation used up.
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

/** The match as this browser may see it; with `wait`, as soon as it is past `after`, or then. */
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

/** Where the record of a match can be downloaded. */
export const recordAddress = (id: string, watch: string | null): string =>
  `/api/v1/matches/${id}/record${watch ? `?watch=${encodeURIComponent(watch)}` : ''}`;
