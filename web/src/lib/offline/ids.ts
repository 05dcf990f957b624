// Distinguishes the ids of matches that are played in the page from those of the server.

import { randomId } from '$lib/net/random';

const PREFIX = 'here-';

/** Returns the id of a new match in the page. */
export const newId = (): string => PREFIX + randomId();

/** Returns whether the page itself, and not the server, keeps the match with a given id. */
export const isPlayedHere = (id: string): boolean => id.startsWith(PREFIX);
