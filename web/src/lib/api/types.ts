// The shapes that the server sends, by the names under which the client speaks of them.
export type Player = 'a' | 'b';
export type Seat = 'first' | 'second';
export type You = Player | 'both';

export interface SuitFacts {
  letter: string;
  name: string;
  symbol: string | null;
}
export interface RankFacts {
  letter: string;
  name: string;
  points: number;
}
export interface DeckFacts {
  suits: SuitFacts[];
  ranks: RankFacts[];
  cards: string[];
}
export interface RuleSummary {
  id: string;
  title: string;
  source: string;
}
export interface VariationSummary {
  id: string;
  title: string;
  summary: string;
}
export interface RuleSets {
  rule_sets: RuleSummary[];
  variations: VariationSummary[];
}
export interface RuleFacts {
  id: string;
  title: string;
  base: string;
  variations: string[];
  source: string;
  deck: DeckFacts;
  hand_size: number;
  games: number;
  deals: string;
  foreplacing: null | { face_down: boolean; second_restricted: boolean; sole_doubled: boolean; overmate: string };
  privilege: null | { ranks: string[]; on_demand: boolean };
  free_move: boolean;
}

export interface Hands {
  first: string[];
  second: string[];
}
export type LegalKind = 'decline' | 'foreplace' | 'lead' | 'demand' | 'follow' | 'free';
export type StepKind = LegalKind | 'face_down';
export interface Step {
  seat: Seat;
  text: string;
  kind: StepKind;
  card: string | null;
  move: number | null;
  says: string;
  hands: Hands;
  won_by: Seat | null;
  mate: boolean;
}
export interface LegalAction {
  action: string;
  kind: LegalKind;
  card: string | null;
}
export interface NotLegal {
  card: string;
  code: string;
  why: string;
  suit: string | null;
  rank: string | null;
}
export interface Factors {
  counts_as: number;
  doubled: boolean;
  factor: number;
}
export interface OutcomeState {
  kind: 'mate' | 'overmate' | 'draw' | 'resigned';
  by: Seat | null;
  card: string | null;
  value: number | null;
  move: number | null;
  multiplier: Factors | null;
  points: number;
  sum: string | null;
  points_for_first: number;
}
export interface ForeplacedCard {
  kind: 'undecided' | 'nothing' | 'card' | 'face_down';
  card: string | null;
  candidates: string[];
}
export interface GameState {
  index: number;
  first: Player;
  deal: string | null;
  dealt: Hands | null;
  steps: Step[];
  hands: Hands;
  foreplaced: { first: ForeplacedCard; second: ForeplacedCard };
  move: number;
  moves_max: number;
  leader: Seat;
  lead: null | { card: string; demanded: boolean };
  phase: 'foreplace' | 'lead' | 'follow' | 'over';
  to_act: Seat | null;
  legal: LegalAction[];
  not_legal: NotLegal[];
  free_move_used: boolean;
  multiplier: Factors | null;
  outcome: OutcomeState | null;
}
export interface PlayerState {
  name: string | null;
  kind: 'you' | 'friend' | 'level' | 'perfect' | 'open';
  level: number | null;
}
export interface Players {
  a: PlayerState;
  b: PlayerState;
}
export interface Points {
  a: number;
  b: number;
}
export interface MatchResult {
  winner: Player | null;
  margin: number;
  resigned: Player | null;
}
export interface MatchState {
  id: string;
  sequence: number;
  rules: string;
  rules_title: string;
  you: You | null;
  players: Players;
  games: number;
  game: number;
  totals: Points;
  scores: (Points | null)[];
  current: GameState;
  finished: GameState[];
  finished_from: number;
  result: MatchResult | null;
  invitation: string | null;
  watch: string;
  rematch: null | { offered_by: Player; match: string | null };
  undo: boolean;
  hint: boolean;
  marks: { sequence: number; kind: 'undo' | 'hint'; player: Player; game: number; after: number }[];
  created_at: string;
}

export interface Value {
  exact: number | null;
  low: number;
  high: number;
}
export interface Hint {
  sequence: number;
  hidden_card: boolean;
  actions: { action: string; value_for_first: Value; points_for_you: number; best: boolean }[];
}
export interface Invitation {
  rules: string;
  rules_title: string;
  from: string | null;
  games: number;
  seat: Seat;
  used: boolean;
  match: string | null;
}
export type Opponent = { kind: 'level'; level: number } | { kind: 'perfect' } | { kind: 'friend' } | { kind: 'both' };
export interface NewMatch {
  rules: string;
  opponent: Opponent;
  deal?: string | null;
  lead?: 'me' | 'other' | 'random';
  names?: { me?: string | null; other?: string | null };
}
export interface MatchSummary {
  id: string;
  rules: string;
  rules_title: string;
  you: You;
  players: Players;
  sequence: number;
  games: number;
  game: number;
  totals: Points;
  your_turn: boolean;
  result: MatchResult | null;
  created_at: string;
}
export interface AnalysisRequest {
  rules?: string | null;
  deal?: string | null;
  hands?: Hands | null;
  record?: string | null;
  game?: number | null;
  position?: string | null;
  actions?: string[] | null;
}
export interface Analysis {
  rules: string;
  position: string;
  game: GameState;
  played: string[];
  value_for_first: Value;
  actions: { action: string; value_for_first: Value; best: boolean }[];
  line: string[];
}
export interface ReviewedAction {
  index: number;
  seat: Seat;
  action: string;
  before_for_first: Value;
  after_for_first: Value;
  lost: number | null;
  best: string[];
}
export interface Review {
  game: number;
  had_hidden_card: boolean;
  actions: ReviewedAction[];
  values_for_first: Value[];
  lost: { first: number; second: number };
  turning_point: number | null;
  points_for_first: number;
  value_for_first: Value;
  other_seating_points_for_first: number | null;
  line: string[];
}
