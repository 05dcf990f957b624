// Runs the engine (solver and computer opponents), which is compiled to WebAssembly. The module needs no page, so that it
// also runs in a worker and in Node.
import type { RequestName, RequestOf, ResultOf } from './requests.js';

/** Exported functions of `crates/overmate-wasm`, which exchange strings through the WebAssembly memory. */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  request_room: (bytes: number) => number;
  answer: () => number;
  answer_text: () => number;
  answer_length: () => number;
}

/**
 * Return code of the exported WebAssembly function `answer` for a request that only a server can answer. The
 * constant `FAULT` is the code for an invalid request, and 0 is the code for a result.
 */
const NO_TABLE = 1;
const FAULT = 2;

/**
 * Error that reports a faulty engine request. The error message is the engine's description of the fault. The engine
 * can answer further requests.
 */
export class EngineFault extends Error {}

/**
 * Instance of the WebAssembly engine: an exact solver and the computer opponents. The engine keeps the table of the
 * latest deal and the opponent of the latest match.
 */
export class Engine {
  #exports: Exports;

  /**
   * Starts the engine from a compiled `WebAssembly.Module`. The parameter has the type `object`, because projects
   * without browser types do not know `WebAssembly.Module`.
   */
  constructor(module: object) {
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
  }

  /**
   * Executes the engine request with a given name, and returns the result. Throws an `EngineFault` for a faulty
   * request.
   */
  ask<Name extends RequestName>(name: Name, request: RequestOf<Name>): ResultOf<Name> {
    return JSON.parse(this.answer(JSON.stringify({ [name]: request })) ?? 'null') as ResultOf<Name>;
  }

  /**
   * Executes an engine request in JSON, and returns the result in JSON. Returns null if only a long search could find
   * the requested values. Also returns null for a hint in a rule set with cards face down. Throws an `EngineFault`
   * for a faulty request.
   */
  answer(request: string): string | null {
    const { memory, request_room, answer, answer_text, answer_length } = this.#exports;
    const bytes = new TextEncoder().encode(request);
    // Each call of the engine may enlarge the WebAssembly memory, which replaces the memory's buffer.
    const room = request_room(bytes.length);
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const code = answer();
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer_text(), answer_length()));
    if (code === FAULT) throw new EngineFault(text);
    return code === NO_TABLE ? null : text;
  }
}
