// Defines the names of the engine's requests, with the types of the requests and results. The OpenAPI document of the
// server describes the types that server and engine share; the other types stand in `crates/overmate-wasm`.
import type { components } from './schema.js';

type Schemas = components['schemas'];

export type Analysis = Schemas['Analysis'];
export type AnalysisRequest = Schemas['AnalysisRequest'];
export type Hint = Schemas['Hint'];
export type MatchState = Schemas['MatchState'];
export type MatchSummary = Schemas['MatchSummary'];
export type Player = Schemas['Player'];
export type ProvedValue = Schemas['ProvedValue'];
export type Review = Schemas['Review'];
export type RuleFacts = Schemas['RuleFacts'];
export type RuleSets = Schemas['RuleSets'];

/** Request for a new match against a computer opponent. */
export interface NewOwnMatch {
  /** Id of the new match, which the caller chooses. */
  id: string;
  /** Time at which the match was created, in RFC 3339. */
  created_at: string;
  /** Name of the match's rule set. */
  rules: string;
  /** Name of the computer opponent, such as `level:3`. The names are `level:1` to `level:9`, and `perfect`. */
  opponent: string;
  /** Whether the person leads in the first game of the match. */
  leads: boolean;
  /** Number of the match's first deal, or null for a random deal. */
  deal: string | null;
  /** Name of the person who plays the match, or null. */
  name: string | null;
  /** Seed from which the deals are drawn: a whole number below 2^64, as a string. */
  deal_seed: string;
  /** Seed of the opponent's random choices: a whole number below 2^64, as a string. */
  bot_seed: string;
}

/**
 * Data of an offline match: a match against a computer opponent, without a server. The caller keeps the match as JSON
 * between two steps.
 */
export type OwnMatch = Schemas['OfflineMatch'];

/**
 * Step that the engine executes in a match against a computer opponent, such as an action. `answer` lets the opponent
 * act if it is the opponent's turn, and `read` changes nothing. The sequence number of an action is that of the state
 * in which the person chose the action.
 */
export type OwnStep =
  'read' | 'answer' | 'undo' | 'hint' | 'resign' | { act: { sequence: number; action: string } };

/** Result of a step, such as an action, in a match against a computer opponent. */
export interface Played {
  /** Data of the match after the executed step (such as an action), for the caller to keep as JSON. */
  match: OwnMatch;
  /**
   * State of the match after the executed step (such as an action), with only the data that the human player may see.
   */
  state: MatchState;
  /** Summary of the match after the executed step (such as an action), for a list of matches. */
  summary: MatchSummary;
  /** Whether it is the computer opponent's turn. */
  due: boolean;
  /** Hint for the human player if the request was for a hint; otherwise null. */
  hint: Hint | null;
}

/**
 * Requests to the engine by name, each with the types of the request and of its result. An analysis is null if a
 * player holds too many cards for a table, so that only a long search could find values. A review or hint is null if a
 * player was dealt too many cards for a table. A hint is also null in a rule set with cards face down.
 */
export interface EngineRequests {
  /** Analysis of a game or position: the value of the position, the value of each legal action, and best play. */
  analyse: { request: AnalysisRequest; result: Analysis | null };
  /**
   * Review of a finished game in a match record: the points that each action lost. The index of the game counts
   * from 0.
   */
  review: { request: { record: string; game: number }; result: Review | null };
  /**
   * Hint for the player to act in a game: the value of each legal action. The request also names the sequence number
   * of the match.
   */
  hint: { request: { game: AnalysisRequest; sequence: number }; result: Hint | null };
  /** Published rule sets, and the variations of rule sets. */
  rule_sets: { request: Record<string, never>; result: RuleSets };
  /** Rules of the rule set with a given name. */
  facts: { request: { rules: string }; result: RuleFacts };
  /** New match against a computer opponent. */
  begin: { request: NewOwnMatch; result: Played };
  /** Step, such as an action, in a match against a computer opponent. */
  play: { request: { match: OwnMatch; step: OwnStep }; result: Played };
  /** Game record of a match against a computer opponent. */
  record: { request: { match: OwnMatch }; result: string };
}

/** Name of a request to the engine. */
export type RequestName = keyof EngineRequests;

/** Type of the engine request with a given name. */
export type RequestOf<Name extends RequestName> = EngineRequests[Name]['request'];

/** Type of the result of the engine request with a given name. */
export type ResultOf<Name extends RequestName> = EngineRequests[Name]['result'];
