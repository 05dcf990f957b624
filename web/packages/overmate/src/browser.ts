// Loads the engine (solver and computer opponents in WebAssembly) in a web page or web worker.
import { Engine } from './engine.js';

export { Engine, EngineFault } from './engine.js';
export type * from './requests.js';

/**
 * Fetches, compiles and starts the WebAssembly engine in a browser. The optional argument is another URL of the file
 * `overmate.wasm`.
 */
export async function loadEngine(
  wasm: string | URL = new URL('./overmate.wasm', import.meta.url)
): Promise<Engine> {
  const response = await fetch(wasm);
  if (!response.ok) {
    throw new Error(
      `the server answers ${response.status} for ${response.url}: serve the file overmate.wasm of the package there`
    );
  }
  // Unlike `compileStreaming`, `compile` does not depend on the media type that the server sends.
  return new Engine(await WebAssembly.compile(await response.arrayBuffer()));
}
