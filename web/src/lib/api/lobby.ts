// Requests for open match offers and challenges.
import { client, answer, done, on, beKnown } from './request';
import type { Lobby, MadeOffer, MatchState, NewOffer } from './types';

/**
 * Reads the open match offers of all players, and the offers of this browser. The request keeps this browser's offers
 * open for about half a minute more.
 */
export const readLobby = (): Promise<Lobby> => answer(client.GET('/api/v1/lobby'));

/**
 * Creates an open match offer. With `join`, the request accepts an equal open offer of another player instead, if there
 * is such an offer.
 */
export async function makeOffer(body: NewOffer): Promise<MadeOffer> {
  await beKnown();
  return answer(client.POST('/api/v1/offers', { body }));
}

/** Withdraws an open match offer. Returns the id of the match if the offer was already accepted, and otherwise null. */
export const withdrawOffer = (id: string): Promise<string | null> =>
  answer(client.DELETE('/api/v1/offers/{id}', on(id))).then(({ match }) => match);

/** Declines another player's challenge to a match. */
export const declineChallenge = async (id: string): Promise<void> => {
  await done(client.POST('/api/v1/offers/{id}/decline', on(id)));
};

export async function acceptOffer(id: string, client_id: string, name: string): Promise<MatchState> {
  await beKnown();
  const body = { client_id, ...(name && { name }) };
  return answer(client.POST('/api/v1/offers/{id}/accept', { ...on(id), body }));
}
