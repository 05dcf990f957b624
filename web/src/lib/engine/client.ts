// Sends requests to the engine (solver and computer opponents in WebAssembly), which runs in a web worker.
import type { RequestName, RequestOf, ResultOf } from 'overmate/requests';
import type { EngineReply, EngineRequest } from './worker';

/** List with the URL of the compiled engine; empty if the page was built without the engine. */
const addresses = Object.values(
  import.meta.glob<string>('./built/*.wasm', { query: '?url', import: 'default', eager: true })
);

/** Error that reports a refused engine request. The error message is the engine's description of the fault. */
export class Refused extends Error {}

let worker: Worker | null = null;
let latest = 0;

interface Waiting {
  settle: (result: string | null) => void;
  refuse: (fault: Refused) => void;
}
const waiting = new Map<number, Waiting>();

/** Returns whether the page contains the engine and the browser supports the web APIs that the engine needs. */
export const hasEngine = (): boolean =>
  addresses.length > 0 && typeof Worker !== 'undefined' && typeof WebAssembly !== 'undefined';

/**
 * Terminates the engine's web worker after the engine did not load or has failed. The next request to the engine starts
 * a new worker.
 */
function giveUp(): void {
  worker?.terminate();
  worker = null;
  for (const { settle } of waiting.values()) settle(null);
  waiting.clear();
}

/**
 * Returns the worker that runs the engine, and starts the worker if necessary. Returns null if the browser cannot run
 * the engine.
 */
function start(): Worker | null {
  if (worker || !hasEngine()) return worker;
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('error', giveUp);
  worker.addEventListener('message', ({ data }: MessageEvent<EngineReply>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.broken) giveUp();
    if (data.fault === null) asked?.settle(data.result);
    else asked?.refuse(new Refused(data.fault));
  });
  return worker;
}

/**
 * Sends a request to the engine. Returns null if the engine does not run in this browser, or if only a long
 * search would find values. Throws `Refused` for a faulty request.
 */
export async function askEngine<Name extends RequestName>(
  name: Name,
  request: RequestOf<Name>
): Promise<ResultOf<Name> | null> {
  const engine = start();
  const [address] = addresses;
  if (!engine || !address) return null;
  const id = (latest += 1);
  const result = await new Promise<string | null>((settle, refuse) => {
    waiting.set(id, { settle, refuse });
    // The URL is resolved against the page, because a worker resolves relative addresses against its own script.
    const wasm = new URL(address, location.href).href;
    engine.postMessage({ id, wasm, request: JSON.stringify({ [name]: request }) } satisfies EngineRequest);
  });
  return result === null ? null : (JSON.parse(result) as ResultOf<Name>);
}
