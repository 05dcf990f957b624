// Names for the types of the server's OpenAPI document.
import type { components } from './schema';

type Schemas = components['schemas'];

export type Analysis = Schemas['Analysis'];
export type AnalysisRequest = Schemas['AnalysisRequest'];
export type Answers = Schemas['Answers'];
export type CatalogueTexts = Schemas['CatalogueTexts'];
export type ClientMessage = Schemas['ClientMessage'];
export type Code = Schemas['Code'];
export type DeckFacts = Schemas['DeckFacts'];
export type Factors = Schemas['Factors'];
export type GameState = Schemas['GameState'];
export type Hands = Schemas['Hands'];
export type Hint = Schemas['Hint'];
export type Invitation = Schemas['Invitation'];
export type LegalAction = Schemas['LegalAction'];
export type Lesson = Schemas['Lesson'];
export type LessonChoice = Schemas['LessonChoice'];
export type LessonPart = Schemas['LessonPart'];
export type LessonState = Schemas['LessonState'];
export type MatchState = Schemas['MatchState'];
export type MatchSummary = Schemas['MatchSummary'];
export type Mistake = Schemas['Mistake'];
export type NewMatch = Schemas['NewMatch'];
export type NotLegal = Schemas['NotLegal'];
export type Opponent = Schemas['Opponent'];
export type OutcomeState = Schemas['OutcomeState'];
export type Phrase = Schemas['Phrase'];
export type Player = Schemas['Player'];
export type PlayerPresence = Schemas['PlayerPresence'];
export type PlayerState = Schemas['PlayerState'];
export type Privacy = Schemas['Privacy'];
export type AttemptResult = Schemas['AttemptResult'];
export type Puzzle = Schemas['Puzzle'];
export type PuzzleOverview = Schemas['PuzzleOverview'];
export type PuzzleState = Schemas['PuzzleState'];
export type PuzzleTheme = Schemas['PuzzleTheme'];
export type RankFacts = Schemas['RankFacts'];
export type Review = Schemas['Review'];
export type ReviewedAction = Schemas['ReviewedAction'];
export type RuleFacts = Schemas['RuleFacts'];
export type RuleSets = Schemas['RuleSets'];
export type RuleSummary = Schemas['RuleSummary'];
export type Seat = Schemas['Seat'];
export type ServerMessage = Schemas['ServerMessage'];
export type SharedDealDecision = Schemas['SharedDealDecision'];
export type SharedDealResult = Schemas['SharedDealResult'];
export type SharedDealScore = Schemas['SharedDealScore'];
export type SharedDealSummary = Schemas['SharedDealSummary'];
export type SharedDeals = Schemas['SharedDeals'];
export type Step = Schemas['Step'];
export type SuitFacts = Schemas['SuitFacts'];
export type VariationSummary = Schemas['VariationSummary'];
export type Value = Schemas['ProvedValue'];

/** Presence of both players of a match. */
export type Presences = Record<Player, PlayerPresence>;
