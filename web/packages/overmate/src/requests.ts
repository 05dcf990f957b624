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
  /** Id of the match, which the caller chooses. */
  id: string;
  /** Time of the request, in RFC 3339. */
  created_at: string;
  /** Name of the rule set. */
  rules: string;
  /** Name of the computer opponent: `level:1` to `level:9`, or `perfect`. */
  opponent: string;
  /** Whether the person leads in the first game. */
  leads: boolean;
  /** Number of the first deal, or null for a random deal. */
  deal: string | null;
  /** Name of the person. */
  name: string | null;
  /** Seed from which the deals are drawn: a whole number below 2^64, as text. */
  deal_seed: string;
  /** Seed of the opponent's random choices: a whole number below 2^64, as text. */
  bot_seed: string;
}

/** Match against a computer opponent, which the caller keeps as JSON between two steps. */
export type OwnMatch = Schemas['OfflineMatch'];

/**
 * Step of a match: `answer` lets the computer opponent act if its turn is due, and `read` changes nothing. The sequence
 * number of an action is that of the state in which the person chose the action.
 */
export type OwnStep =
  'read' | 'answer' | 'undo' | 'hint' | 'resign' | { act: { sequence: number; action: string } };

/** Match after a step. */
export interface Played {
  /** Match after the step, which the caller keeps as JSON. */
  match: OwnMatch;
  /** State of the match, as the person sees the match. */
  state: MatchState;
  /** Match as an item in a list. */
  summary: MatchSummary;
  /** Whether the computer opponent is to act. */
  due: boolean;
  /** Hint, if the step asked for one. */
  hint: Hint | null;
}

/**
 * Requests by name, each with the type of the request and the type of its result. The result is null if the
 * hands hold too many cards for a table, so that only a long search could find values. A hint is also null in a
 * rule set with cards face down.
 */
export interface EngineRequests {
  /** Analysis of a game or position: its value, the value of each legal action, and best play. */
  analyse: { request: AnalysisRequest; result: Analysis | null };
  /** Review of a game in a record, by its index from 0: the points that each action lost. */
  review: { request: { record: string; game: number }; result: Review | null };
  /** Hint to the player to act in a game, with the sequence number of the match: the value of each legal action. */
  hint: { request: { game: AnalysisRequest; sequence: number }; result: Hint | null };
  /** Published rule sets and variations. */
  rule_sets: { request: Record<string, never>; result: RuleSets };
  /** Rules of a rule set, by its name. */
  facts: { request: { rules: string }; result: RuleFacts };
  /** New match against a computer opponent. */
  begin: { request: NewOwnMatch; result: Played };
  /** Step of a match. */
  play: { request: { match: OwnMatch; step: OwnStep }; result: Played };
  /** Game record of a match. */
  record: { request: { match: OwnMatch }; result: string };
}

/** Name of a request. */
export type RequestName = keyof EngineRequests;

/** Type of the request with a given name. */
export type RequestOf<Name extends RequestName> = EngineRequests[Name]['request'];

/** Type of the result of the request with a given name. */
export type ResultOf<Name extends RequestName> = EngineRequests[Name]['result'];
