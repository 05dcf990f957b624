// Loads the engine in Node.
import { readFile } from 'node:fs/promises';
import { Engine } from './engine.js';

export { Engine, EngineFault } from './engine.js';
export type * from './requests.js';

/** Loads the engine. The optional argument is another place of the file `overmate.wasm`: a path, or a URL of a file. */
export async function loadEngine(
  wasm: string | URL = new URL('./overmate.wasm', import.meta.url)
): Promise<Engine> {
  return new Engine(await WebAssembly.compile(await readFile(wasm)));
}
