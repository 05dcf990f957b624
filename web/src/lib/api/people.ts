// Requests for other players: profiles, favourites, mutes, blocks, and reports.
import { client, answer, done, on, beKnown } from './request';
import type {
  Favourite,
  IgnoredPerson,
  IgnoreKind,
  Leaderboard,
  NewReport,
  OpponentRelation,
  Pace,
  PeopleHere,
  Profile
} from './types';

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

/** Returns the people whom the player has muted or blocked. */
export const myIgnored = (): Promise<IgnoredPerson[]> =>
  answer(client.GET('/api/v1/me/ignored')).then(({ ignored }) => ignored);

/** Ends a mute or block of a person. The id is that of an entry in the list of muted and blocked people. */
export const heed = (id: string): Promise<void> => done(client.DELETE('/api/v1/me/ignored/{id}', on(id)));

/** Begins or ends a mute or block of the player with a given handle. */
export async function ignorePlayer(handle: string, kind: IgnoreKind, ignored: boolean): Promise<void> {
  const path = { params: { path: { kind, handle } } };
  if (!ignored) return done(client.DELETE('/api/v1/me/ignored/{kind}/{handle}', path));
  await beKnown();
  return done(client.PUT('/api/v1/me/ignored/{kind}/{handle}', path));
}

/** Begins or ends a mute or block of the opponent in a match. */
export function ignoreOpponent(id: string, kind: IgnoreKind, ignored: boolean): Promise<void> {
  const path = { params: { path: { id, kind } } };
  return done(
    ignored
      ? client.PUT('/api/v1/matches/{id}/ignored/{kind}', path)
      : client.DELETE('/api/v1/matches/{id}/ignored/{kind}', path)
  );
}

/** Reports the opponent of a match to the operators. */
export const reportOpponent = (id: string, report: NewReport): Promise<void> =>
  done(client.POST('/api/v1/matches/{id}/report', { ...on(id), body: report }));
