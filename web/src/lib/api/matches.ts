// Requests for matches: playing, watching, reviewing, and messages between the players.
import { client, answer, done, gone, on, beKnown } from './request';
import type {
  AnswerChoices,
  ConditionalAnswers,
  Hint,
  Invitation,
  MatchRatings,
  MatchState,
  MatchSummary,
  NewMatch,
  OfflineMatch,
  PublicMatches,
  Review,
  Talk
} from './types';

export async function createMatch(body: NewMatch): Promise<MatchState> {
  await beKnown();
  return answer(client.POST('/api/v1/matches', { body }));
}

/** Returns the names of the opponent programs that the server offers. */
export const programs = async (): Promise<string[]> =>
  (await answer(client.GET('/api/v1/programs'))).programs;

/** Sends a finished offline match to the server. The id of the match makes the request idempotent. */
export async function handIn(body: OfflineMatch): Promise<MatchState> {
  await beKnown();
  return answer(client.POST('/api/v1/matches/offline', { body }));
}

export const myMatches = async (): Promise<MatchSummary[]> =>
  (await answer(client.GET('/api/v1/matches'))).matches;

/**
 * Reads the state of a match from the server. With `wait`, the server delays its response by at most `wait` seconds
 * until the sequence number exceeds `after`.
 */
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

/**
 * Requests a hint in a match. With `values` false, the server checks and records the hint, and the engine computes
 * the values.
 */
export const hintOnServer = (id: string, client_id: string, values = true): Promise<Hint> => {
  // A server of an earlier version refuses a request for a hint with the field `values`.
  const body = { client_id, ...(!values && { values }) };
  return answer(client.POST('/api/v1/matches/{id}/hint', { ...on(id), body }));
};

export const rematch = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/rematch', { ...on(id), body: { client_id } }));

/** Requests or accepts a pause of a match's clocks. During a pause, requests or accepts the end of the pause. */
export const askForPause = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/pause', { ...on(id), body: { client_id } }));

/** Returns the conditional answers of this browser's player in a correspondence match. */
export const readAnswers = (id: string): Promise<ConditionalAnswers> =>
  answer(client.GET('/api/v1/matches/{id}/answers', on(id)));

/** Replaces the conditional answers of this browser's player in a match. */
export const setAnswers = (id: string, body: ConditionalAnswers): Promise<ConditionalAnswers> =>
  answer(client.PUT('/api/v1/matches/{id}/answers', { ...on(id), body }));

/** Returns the legal actions after a line of actions in a match, as choices for conditional answers. */
export const answerChoices = (id: string, sequence: number, actions: string[]): Promise<AnswerChoices> =>
  answer(client.POST('/api/v1/matches/{id}/answers/choices', { ...on(id), body: { sequence, actions } }));

/** Returns the private note of this browser's player about a match; empty without a note. */
export const readNote = (id: string): Promise<string> =>
  answer(client.GET('/api/v1/matches/{id}/note', on(id))).then(({ text }) => text);

/** Replaces the private note of this browser's player about a match. */
export const setNote = (id: string, text: string): Promise<void> =>
  done(client.PUT('/api/v1/matches/{id}/note', { ...on(id), body: { text } }));

/** Asks the server to review a game of a match. */
export const reviewOnServer = (id: string, game: number, watch: string | null): Promise<Review> =>
  answer(
    client.GET('/api/v1/matches/{id}/review', {
      params: { path: { id }, query: { game, ...(watch && { watch }) } }
    })
  );

/** Returns the game record of a match. The record contains only what this browser's player or a spectator may see. */
export const readRecord = (id: string, watch: string | null): Promise<string> =>
  answer(
    client.GET('/api/v1/matches/{id}/record', {
      params: { path: { id }, query: { ...(watch && { watch }) } },
      parseAs: 'text'
    })
  );

/** Returns the URL path at which the record of a match can be downloaded. */
export const recordAddress = (id: string, watch: string | null): string =>
  `/api/v1/matches/${id}/record${watch ? `?watch=${encodeURIComponent(watch)}` : ''}`;

export const invitation = (token: string): Promise<Invitation> =>
  answer(client.GET('/api/v1/invitations/{token}', { params: { path: { token } } }));

export async function join(token: string, name: string): Promise<MatchState> {
  await beKnown();
  const body = name ? { name } : {};
  return answer(client.POST('/api/v1/invitations/{token}', { params: { path: { token } }, body }));
}

/**
 * Deletes a match from the list of this browser's player. The server removes the match, or only the player's seat if
 * a friend keeps the match.
 */
export const deleteMatch = (id: string): Promise<void> => gone(client.DELETE('/api/v1/matches/{id}', on(id)));

/** Returns the ratings of the players of a rated match. */
export const matchRatings = (id: string, watch: string | null): Promise<MatchRatings> =>
  answer(
    client.GET('/api/v1/matches/{id}/ratings', {
      params: { path: { id }, query: { ...(watch && { watch }) } }
    })
  );

/** Returns one page of the list of public matches, which everybody may watch or replay. */
export const publicMatches = (query: {
  rules?: string;
  state: 'running' | 'finished';
  after?: string;
}): Promise<PublicMatches> => answer(client.GET('/api/v1/public/matches', { params: { query } }));

/** Returns the chat messages of both players of a match. */
export const readTalk = (id: string): Promise<Talk> =>
  answer(client.GET('/api/v1/matches/{id}/talk', on(id)));

/** Sends a chat message to the opponent in a match. Returns all messages of the match with a number above `after`. */
export const sendTalk = (id: string, text: string, client_id: string, after: number): Promise<Talk> =>
  answer(client.POST('/api/v1/matches/{id}/talk', { ...on(id), body: { text, client_id, after } }));
