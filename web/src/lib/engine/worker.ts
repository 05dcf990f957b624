// Runs the engine in a worker, so that an analysis never blocks the page.
import { Engine, EngineFault } from 'overmate/engine';

/** Message to the worker: a numbered request, as JSON text. */
export interface EngineRequest {
  id: number;
  /** Address of the compiled engine, the same in all messages. */
  wasm: string;
  request: string;
}

/** Reply of the worker to one numbered request. */
export interface EngineReply {
  id: number;
  /** Result as JSON text, or null if the engine cannot answer the request. */
  result: string | null;
  /** Fault of the request, or null. */
  fault: string | null;
  /** Whether the engine did not load or has failed, so that this worker answers no further request. */
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
