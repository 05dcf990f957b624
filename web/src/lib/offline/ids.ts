// Distinguishes matches that are played in the page from matches on the server, by the ids of the matches.

import { randomId } from '$lib/net/random';

const PREFIX = 'here-';

/** Returns an id for a new match that the page itself keeps. */
export const newId = (): string => PREFIX + randomId();

/** Returns whether the page itself, instead of the server, keeps the match with a given id. */
export const isPlayedHere = (id: string): boolean => id.startsWith(PREFIX);
