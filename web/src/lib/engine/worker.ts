// Runs the engine in a worker, so that an analysis never blocks the page.
import { Engine } from './engine';

/** Message to the worker: a numbered request, as JSON text. */
export interface EngineRequest {
  id: number;
  request: string;
}

/** Message of the worker: the result as JSON text, or null if the server has to answer the request. */
export interface EngineResult {
  id: number;
  result: string | null;
}

// The pattern matches no file if the page was built without the engine.
const [load] = Object.values(
  import.meta.glob<string>('./built/*.wasm', { query: '?url', import: 'default' })
);

async function start(): Promise<Engine | null> {
  if (!load) return null;
  return new Engine(await WebAssembly.compileStreaming(fetch(await load())));
}

let started = start().catch(() => null);

addEventListener('message', ({ data }: MessageEvent<EngineRequest>) => {
  void started.then((engine) => {
    let result: string | null = null;
    try {
      result = engine?.answer(data.request) ?? null;
    } catch {
      // The server answers the next requests: the memory of an engine that has failed may be damaged.
      started = Promise.resolve(null);
    }
    postMessage({ id: data.id, result } satisfies EngineResult);
  });
});
