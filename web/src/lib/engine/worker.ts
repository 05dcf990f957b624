// Runs the engine (solver and computer opponents) in a web worker, so that an analysis never blocks the page.
import { Engine, EngineFault } from 'overmate/engine';

/** Message to the engine's worker: a numbered request in JSON. */
export interface EngineRequest {
  id: number;
  /** URL of the compiled engine. All messages to the worker contain the same URL. */
  wasm: string;
  request: string;
}

/** Reply of the engine's worker to one numbered request. */
export interface EngineReply {
  id: number;
  /** Result of the request in JSON, or null if the engine cannot answer the request. */
  result: string | null;
  /** Description of the fault in the request, or null. */
  fault: string | null;
  /** Whether the engine did not load or has failed. The worker then answers no further request. */
  broken: boolean;
}

const start = async (wasm: string): Promise<Engine> =>
  new Engine(await WebAssembly.compileStreaming(fetch(wasm)));

let started: Promise<Engine> | null = null;

async function reply({ id, wasm, request }: EngineRequest): Promise<EngineReply> {
  try {
    const engine = await (started ??= start(wasm));
    return { id, result: engine.answer(request), fault: null, broken: false };
  } catch (thrown) {
    if (thrown instanceof EngineFault) return { id, result: null, fault: thrown.message, broken: false };
    // The memory of an engine that has failed may be damaged, so that this worker must answer no further
    // request.
    return { id, result: null, fault: null, broken: true };
  }
}

addEventListener('message', ({ data }: MessageEvent<EngineRequest>) => void reply(data).then(postMessage));
