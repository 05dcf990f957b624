// Analyses games and positions in the page if the engine runs there, and else on the server.
import { analyseOnServer, checkAnalysis } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { Analysis, AnalysisRequest } from '$lib/api/types';
import { askEngine, hasEngine, Refused } from './client';

/** Analyses a game or position in the page. Returns null if only the server can answer the request. */
async function analyseHere(request: AnalysisRequest): Promise<Analysis | null> {
  try {
    return await askEngine('analyse', request);
  } catch (thrown) {
    // The server describes the fault of the request with a code.
    if (thrown instanceof Refused) return null;
    throw thrown;
  }
}

/** Deals and positions that the server has allowed this page to analyse. */
const allowed = new Set<string>();

/**
 * Asks the server once for each deal or position whether the player may see its values. Nobody may see values
 * of a deal that they are playing without help. Without a network the page may analyse everything.
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
 * Analyses a game or position: the value of the position, the values of all legal actions, and best play. The
 * page answers if it can, and else the server.
 */
export async function analyse(request: AnalysisRequest, signal?: AbortSignal): Promise<Analysis> {
  if (hasEngine()) {
    await checkOnce(request, signal);
    const analysis = await analyseHere(request);
    signal?.throwIfAborted();
    if (analysis) return analysis;
  }
  return analyseOnServer(request, signal);
}
