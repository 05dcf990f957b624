// Loads the engine (solver and computer opponents in WebAssembly) in Node.js.
import { readFile } from 'node:fs/promises';
import { Engine } from './engine.js';

export { Engine, EngineFault } from './engine.js';
export type * from './requests.js';

/**
 * Reads, compiles and starts the WebAssembly engine in Node.js. The optional argument is another location of the file
 * `overmate.wasm`: a path, or a file URL.
 */
export async function loadEngine(
  wasm: string | URL = new URL('./overmate.wasm', import.meta.url)
): Promise<Engine> {
  return new Engine(await WebAssembly.compile(await readFile(wasm)));
}
