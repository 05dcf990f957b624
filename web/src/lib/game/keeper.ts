// Describes the operations of a match's keeper: the server, or the page for matches that are played offline.
import type { Hint, MatchState, MatchSummary, NewMatch, Review } from '$lib/api/types';
import type { Listener, MatchConnection, Timing } from './connection';
import type { Pending } from './pending';

/**
 * Store of matches, in the server or in the page, that executes the players' requests. Requests with a client id are
 * idempotent. All requests throw a `Problem`.
 */
export interface Keeper {
  begin: (match: NewMatch) => Promise<MatchState>;
  /** Returns the matches of this browser's player. */
  list: () => Promise<MatchSummary[]>;
  read: (id: string, watch: string | null) => Promise<MatchState>;
  act: (id: string, action: Pending) => Promise<MatchState>;
  undo: (id: string, client_id: string) => Promise<MatchState>;
  /** Returns a hint in a match. `stateAt` returns the state of the match with a given sequence number, or null. */
  hint: (
    match: MatchState,
    client_id: string,
    stateAt: (sequence: number) => Promise<MatchState | null>
  ) => Promise<Hint>;
  resign: (id: string, client_id: string) => Promise<MatchState>;
  rematch: (id: string, client_id: string) => Promise<MatchState>;
  /** Reviews the game with a given index in the match. */
  review: (match: MatchState, game: number, watch: string | null) => Promise<Review>;
  remove: (id: string) => Promise<void>;
  /** Returns the URL of the game record of a match. */
  record: (id: string, watch: string | null) => Promise<string>;
  /** Returns a connection that reports changes of a match to a listener. */
  connect: (id: string, watch: string | null, timing: Timing, listener: Listener) => MatchConnection;
}
