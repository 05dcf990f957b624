// Chooses the keeper of a match by its id.
import { isPlayedHere } from '$lib/offline/ids';
import { pageKeeper } from '$lib/offline/pagekeeper';
import type { Keeper } from './keeper';
import { serverKeeper } from './serverkeeper';

/** Returns the keeper of a match. */
export const keeperOf = (id: string): Keeper => (isPlayedHere(id) ? pageKeeper : serverKeeper);
