// Distinguishes the ids of matches that are played in the page from those of the server.

import { randomId } from '$lib/net/random';

const PREFIX = 'here-';

/** Returns the id of a new match in the page. */
export const newId = (): string => PREFIX + randomId();

/** Returns whether the page keeps a match. */
export const isPlayedHere = (id: string): boolean => id.startsWith(PREFIX);
