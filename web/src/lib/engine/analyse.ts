// Analyses games and positions in the page if the engine runs there, and else on the server.
import { analyseOnServer, checkAnalysis } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { Analysis, AnalysisRequest } from '$lib/api/types';
import type { EngineRequest, EngineResult } from './worker';

let worker: Worker | null | undefined;
let latest = 0;
const waiting = new Map<number, (result: string | null) => void>();

/** Lets the server answer all requests from now on, because the browser cannot run the engine. */
function giveUp(): void {
  worker?.terminate();
  worker = null;
  for (const settle of waiting.values()) settle(null);
  waiting.clear();
}

/** Starts the worker of the engine at the first call. Returns null if the browser cannot run the engine. */
function start(): Worker | null {
  if (worker !== undefined) return worker;
  if (typeof Worker === 'undefined' || typeof WebAssembly === 'undefined') return (worker = null);
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', giveUp);
  worker.addEventListener('message', ({ data }: MessageEvent<EngineResult>) => {
    waiting.get(data.id)?.(data.result);
    waiting.delete(data.id);
  });
  return worker;
}

/** Analyses a game or position in the page. Returns null if only the server can answer the request. */
async function analyseHere(engine: Worker, request: AnalysisRequest): Promise<Analysis | null> {
  const id = (latest += 1);
  const result = await new Promise<string | null>((settle) => {
    waiting.set(id, settle);
    engine.postMessage({ id, request: JSON.stringify({ analyse: request }) } satisfies EngineRequest);
  });
  return result === null ? null : (JSON.parse(result) as Analysis);
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
  const engine = start();
  if (engine) {
    await checkOnce(request, signal);
    const analysis = await analyseHere(engine, request);
    signal?.throwIfAborted();
    if (analysis) return analysis;
  }
  return analyseOnServer(request, signal);
}
