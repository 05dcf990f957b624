// Implements the interface `Keeper` by requests to the server, which keeps the matches.
import * as api from '$lib/api/api';
import { hint, review } from '$lib/engine/analyse';
import { removeCopyOf } from '$lib/offline/lists';
import { Connection } from './connection';
import type { Keeper } from './keeper';

export const serverKeeper: Keeper = {
  begin: api.createMatch,
  list: api.myMatches,
  read: api.readMatch,
  act: api.actOn,
  undo: api.undo,
  hint,
  resign: api.resign,
  rematch: api.rematch,
  review,
  remove: async (id) => {
    await api.deleteMatch(id);
    await removeCopyOf(id);
  },
  record: (id, watch) => Promise.resolve(api.recordAddress(id, watch)),
  connect: (id, watch, timing, listener) => new Connection(id, watch, timing, listener)
};
