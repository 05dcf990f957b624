// Chooses the keeper of a match (the server or the page) by the id of the match.
import { isPlayedHere } from '$lib/offline/ids';
import { pageKeeper } from '$lib/offline/pagekeeper';
import type { Keeper } from './keeper';
import { serverKeeper } from './serverkeeper';

/** Returns the keeper of the match with a given id: the server or, for an offline match, the page itself. */
export const keeperOf = (id: string): Keeper => (isPlayedHere(id) ? pageKeeper : serverKeeper);
