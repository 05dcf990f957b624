// Sends the HTTP requests that read profiles, leaderboards and the presence of players, and that read and change
// favourites.
import { client, answer, done, on } from './request';
import type { Favourite, Leaderboard, OpponentRelation, Pace, PeopleHere, Profile } from './types';

/** Returns the public profile of the player with a given handle. */
export const profileOf = (handle: string): Promise<Profile> =>
  answer(client.GET('/api/v1/players/{handle}', { params: { path: { handle } } }));

/** Returns the leaderboard of a rule set and pace: the players with the highest ratings. */
export const leaderboard = (query: { rules?: string; pace?: Pace }): Promise<Leaderboard> =>
  answer(client.GET('/api/v1/players', { params: { query } }));

/**
 * Returns the number of people who have the site open. Also returns the favourites who show their presence to the
 * player.
 */
export const peopleHere = (): Promise<PeopleHere> => answer(client.GET('/api/v1/public/people'));

/** Returns the list of favourites (other players) of the player's account. */
export const myFavourites = (): Promise<Favourite[]> =>
  answer(client.GET('/api/v1/me/favourites')).then(({ favourites }) => favourites);

/** Adds a player to the favourites of the account, or removes a player from the favourites. */
export const setFavourite = (handle: string, added: boolean): Promise<void> =>
  done(
    added
      ? client.PUT('/api/v1/me/favourites/{handle}', { params: { path: { handle } } })
      : client.DELETE('/api/v1/me/favourites/{handle}', { params: { path: { handle } } })
  );

/** Returns the relation of this browser's player to the opponent of a match: favourite, mute and block. */
export const opponentRelation = (id: string): Promise<OpponentRelation> =>
  answer(client.GET('/api/v1/matches/{id}/favourite', on(id)));

/** Adds the opponent of a match to the favourites of the account. */
export const addOpponent = (id: string): Promise<void> =>
  done(client.PUT('/api/v1/matches/{id}/favourite', on(id)));
