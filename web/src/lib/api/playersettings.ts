// Requests for the settings of this browser's player: days off, turn feed, push messages, and visibility.
import { client, answer, done, beKnown } from './request';
import type { DaysOff, MyVisibility, Push, SetPush, SetVisibility } from './types';

/** Returns the days off of this browser's player: the current absence, and the number of unused days off. */
export const daysOff = (): Promise<DaysOff> => answer(client.GET('/api/v1/me/days-off'));

/** Begins or ends days off for this browser's player. */
export async function setDaysOff(away: boolean): Promise<DaysOff> {
  await beKnown();
  return answer(client.PUT('/api/v1/me/days-off', { body: { away } }));
}

/**
 * Returns the secret URL path of the player's turn feed (list of the matches in which it is their turn); null without
 * a turn feed.
 */
export const turnFeed = (): Promise<string | null> =>
  answer(client.GET('/api/v1/me/feed')).then(({ path }) => path);

/**
 * Creates a new secret URL path for the player's turn feed (list of the matches in which it is their turn). The new
 * path replaces a former path.
 */
export async function makeTurnFeed(): Promise<string | null> {
  await beKnown();
  return answer(client.POST('/api/v1/me/feed')).then(({ path }) => path);
}

/** Revokes the secret URL path of the player's turn feed (list of the matches in which it is their turn). */
export const revokeTurnFeed = (): Promise<null> => done(client.DELETE('/api/v1/me/feed')).then(() => null);

/** Returns whether this browser receives push messages, and the server's public key for push messages. */
export const pushState = (): Promise<Push> => answer(client.GET('/api/v1/me/push'));

/** Subscribes this browser to push messages. */
export async function startPush(subscription: SetPush): Promise<void> {
  await beKnown();
  await done(client.PUT('/api/v1/me/push', { body: subscription }));
}

/** Unsubscribes this browser from push messages. */
export const endPush = (): Promise<void> => done(client.DELETE('/api/v1/me/push'));

/**
 * Returns the player's visibility settings: the permission to watch their matches, and the visibility of their
 * presence.
 */
export const myVisibility = (): Promise<MyVisibility> => answer(client.GET('/api/v1/me/visibility'));

/**
 * Changes the player's visibility settings: the permission to watch their matches, and the visibility of their
 * presence.
 */
export async function setVisibility(body: SetVisibility): Promise<MyVisibility> {
  await beKnown();
  return answer(client.PUT('/api/v1/me/visibility', { body }));
}
