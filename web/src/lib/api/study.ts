// Requests for rules, analyses, shared deals, puzzles, lessons, and the player's progress.
import { client, answer, done, on, beKnown, sendAtOnce } from './request';
import type {
  Analysis,
  AnalysisRequest,
  AttemptResult,
  Lesson,
  MatchState,
  Progress,
  Puzzle,
  PuzzleOverview,
  PuzzleTheme,
  RuleFacts,
  RuleSets,
  SharedDealResult,
  SharedDeals
} from './types';

/** Analyses a game or position on the server. */
export const analyseOnServer = (body: AnalysisRequest, signal?: AbortSignal): Promise<Analysis> =>
  answer(client.POST('/api/v1/analysis', { body, ...(signal && { signal }) }));

/**
 * Asks the server whether the player may see the values of a game or position. Throws a problem if the player may not
 * see the values.
 */
export const checkAnalysis = async (body: AnalysisRequest, signal?: AbortSignal): Promise<void> => {
  await done(client.POST('/api/v1/analysis/check', { body, ...(signal && { signal }) }));
};

export const ruleFacts = (id: string): Promise<RuleFacts> => answer(client.GET('/api/v1/rules/{id}', on(id)));

/** Reads the published rule sets and variations from the server. */
export const ruleSets = (): Promise<RuleSets> => answer(client.GET('/api/v1/rules'));

interface SharedDealName {
  name: string;
  rules: string;
}

/** Returns the shared deals of today, yesterday and this week, with the results of this browser's player. */
export const sharedDeals = (): Promise<SharedDeals> => answer(client.GET('/api/v1/shared-deals'));

/** Returns all players' results of a shared deal, and the decisions of this browser's player in that deal. */
export const sharedDealResult = ({ name, rules }: SharedDealName): Promise<SharedDealResult> =>
  answer(client.GET('/api/v1/shared-deals/{name}/{rules}', { params: { path: { name, rules } } }));

/**
 * Begins or continues the match of this browser's player on a shared deal. Each player has only one match on a shared
 * deal.
 */
export async function playSharedDeal({ name, rules }: SharedDealName): Promise<MatchState> {
  await beKnown();
  const path = { name, rules };
  return answer(client.POST('/api/v1/shared-deals/{name}/{rules}', { params: { path }, body: {} }));
}

/**
 * Returns the progress of this browser's player, which consists of statistics of the finished matches. The server
 * analyses a few more matches at each request.
 */
export const myProgress = (): Promise<Progress> => answer(client.GET('/api/v1/me/progress'));

/** URL paths from which this browser's player can download the games in their statistics, as CSV or JSON. */
export const gamesAddress = { csv: '/api/v1/me/games.csv', json: '/api/v1/me/games.json' };

/** URL paths from which this browser's player can download all their puzzle attempts, as CSV or JSON. */
export const puzzlesAddress = { csv: '/api/v1/me/puzzles.csv', json: '/api/v1/me/puzzles.json' };

/** Returns the sets of puzzles, with the puzzle rating and the latest attempts of this browser's player. */
export const puzzleOverview = (): Promise<PuzzleOverview> => answer(client.GET('/api/v1/puzzles'));

export interface WantedPuzzle {
  rules: string;
  theme?: PuzzleTheme;
  rating?: number;
  /** Exclusive lower bound on the rating of the wanted puzzle. */
  above?: number;
}

/**
 * Returns a puzzle that this browser's player has not tried. The puzzle's rating is near the wanted rating or,
 * without a wanted rating, near the player's puzzle rating.
 */
export const nextPuzzle = (query: WantedPuzzle): Promise<Puzzle> =>
  answer(client.GET('/api/v1/puzzles/next', { params: { query } }));

export const readPuzzle = (id: string): Promise<Puzzle> => answer(client.GET('/api/v1/puzzles/{id}', on(id)));

/**
 * Submits the player's actions in an attempt at a puzzle, and the series of puzzles (streak or storm) to which the
 * attempt belongs. Only the player's first attempt at a puzzle counts. The browser completes the request even if the
 * player leaves the page.
 */
export function attemptPuzzle(id: string, actions: string[], run?: string): Promise<AttemptResult> {
  const body = { actions, ...(run && { run }) };
  const send = () =>
    answer(client.POST('/api/v1/puzzles/{id}/attempts', { ...on(id), body, keepalive: true }));
  return sendAtOnce(send);
}

/** Reads a lesson from the server, with all positions that can occur in the lesson. */
export const readLesson = (id: string): Promise<Lesson> => answer(client.GET('/api/v1/lessons/{id}', on(id)));
