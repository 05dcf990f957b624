// Names for the types of the server's OpenAPI document.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Analysis = Schemas['Analysis'];
export type AnalysisRequest = Schemas['AnalysisRequest'];
export type Answers = Schemas['Answers'];
export type CatalogueTexts = Schemas['CatalogueTexts'];
export type Code = Schemas['Code'];
export type DeckFacts = Schemas['DeckFacts'];
export type Factors = Schemas['Factors'];
export type GameState = Schemas['GameState'];
export type Hands = Schemas['Hands'];
export type Hint = Schemas['Hint'];
export type Invitation = Schemas['Invitation'];
export type LegalAction = Schemas['LegalAction'];
export type MatchState = Schemas['MatchState'];
export type MatchSummary = Schemas['MatchSummary'];
export type NewMatch = Schemas['NewMatch'];
export type NotLegal = Schemas['NotLegal'];
export type Opponent = Schemas['Opponent'];
export type OutcomeState = Schemas['OutcomeState'];
export type Player = Schemas['Player'];
export type PlayerState = Schemas['PlayerState'];
export type Privacy = Schemas['Privacy'];
export type RankFacts = Schemas['RankFacts'];
export type Review = Schemas['Review'];
export type RuleFacts = Schemas['RuleFacts'];
export type RuleSets = Schemas['RuleSets'];
export type RuleSummary = Schemas['RuleSummary'];
export type Seat = Schemas['Seat'];
export type ServerMessage = Schemas['ServerMessage'];
export type Step = Schemas['Step'];
export type SuitFacts = Schemas['SuitFacts'];
export type VariationSummary = Schemas['VariationSummary'];
export type Value = Schemas['ProvedValue'];
