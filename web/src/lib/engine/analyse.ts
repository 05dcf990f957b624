// Analyses positions, reviews games and gives hints in the page if the engine runs there, and otherwise on the server.
import { analyseOnServer, checkAnalysis, hintOnServer, readRecord, reviewOnServer } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { Analysis, AnalysisRequest, Hint, MatchState, Review } from '$lib/api/types';
import { gamesOf } from '$lib/game/scene';
import type { RequestName, RequestOf, ResultOf } from 'overmate/requests';
import { askEngine, Refused } from './client';

/** Sends a request to the engine in the page. Returns null if only the server can answer the request. */
async function askHere<Name extends RequestName>(
  name: Name,
  request: RequestOf<Name>
): Promise<ResultOf<Name> | null> {
  try {
    return await askEngine(name, request);
  } catch (thrown) {
    // A request that the engine refuses as faulty goes to the server, which describes the fault with a code.
    if (thrown instanceof Refused) return null;
    throw thrown;
  }
}

/** Deals and positions whose values the server has allowed this page to show. */
const allowed = new Set<string>();

/**
 * Asks the server whether the player may see the values of a deal or position, unless the server has already given
 * the permission. Players may not see values of a deal that they are playing without help. Without a network the page
 * may show all values.
 */
async function checkOnce(request: AnalysisRequest, signal?: AbortSignal): Promise<void> {
  const key = JSON.stringify({ ...request, actions: undefined });
  if (allowed.has(key)) return;
  try {
    await checkAnalysis(request, signal);
  } catch (thrown) {
    if (signal?.aborted || asProblem(thrown).code !== 'offline') throw thrown;
    return;
  }
  allowed.add(key);
}

/**
 * Analyses a game or position: the value of the position, the values of all legal actions, and best play. The engine
 * in the page computes the analysis if possible, and otherwise the server.
 */
export async function analyse(request: AnalysisRequest, signal?: AbortSignal): Promise<Analysis> {
  // The page asks its own engine for the analysis before it asks the server for the permission to show values. If
  // only the server can answer, the server itself also checks the request.
  const analysis = await askHere('analyse', request);
  signal?.throwIfAborted();
  if (!analysis) return analyseOnServer(request, signal);
  await checkOnce(request, signal);
  return analysis;
}

/**
 * Reviews the game with a given index in a match on the server: the points that each action lost. The engine in the
 * page computes the review if possible, and otherwise the server.
 */
export async function review(match: MatchState, index: number, watch: string | null): Promise<Review> {
  const deal = gamesOf(match).find((game) => game.index === index)?.deal;
  const request = deal && match.reviewable[index] ? { rules: match.rules, deal } : null;
  // The engine can review a game only if it can analyse the game's deal. The engine keeps the table of the analysed
  // deal for the review.
  if (request && (await askHere('analyse', request))) {
    await checkOnce(request);
    const record = await readRecord(match.id, watch);
    const found = await askHere('review', { record, game: index });
    if (found) return found;
  }
  return reviewOnServer(match.id, index, watch);
}

/**
 * Asks the server to permit a hint in a match, and to record the hint. Returns the sequence number of the match after
 * the hint, or null if the server gives hints only with values.
 */
async function noteHint(id: string, client_id: string): Promise<number | null> {
  try {
    return (await hintOnServer(id, client_id, false)).sequence;
  } catch (thrown) {
    // A server of an earlier version refuses a request for a hint that asks for no values of actions. Such a server
    // returns the values with each hint.
    if (asProblem(thrown).code === 'bad-request') return null;
    throw thrown;
  }
}

/** Computes, in the page, a hint for a match state. Returns null if only the server can compute the hint. */
async function hintHere({ rules, current, sequence }: MatchState): Promise<Hint | null> {
  if (!current.deal) return null;
  const game = { rules, deal: current.deal, actions: current.steps.map(({ text }) => text) };
  return askHere('hint', { game, sequence });
}

/**
 * Returns a hint in a match on the server, and lets the server record the hint. The engine in the page computes the
 * hint for the recorded position if possible, and otherwise the server. `stateAt` returns the state of the match with
 * a given sequence number, or null.
 */
export async function hint(
  match: MatchState,
  client_id: string,
  stateAt: (sequence: number) => Promise<MatchState | null>
): Promise<Hint> {
  // The page tests whether it can compute the hint before it asks the server to record the hint. If the page cannot
  // compute the hint, a single request lets the server both record and compute the hint.
  if (await hintHere(match)) {
    const sequence = await noteHint(match.id, client_id);
    const noted = sequence === null ? null : await stateAt(sequence);
    const found = noted && (await hintHere(noted));
    if (found) return found;
  }
  return hintOnServer(match.id, client_id);
}
