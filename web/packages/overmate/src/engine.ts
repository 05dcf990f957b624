// Runs the engine that was compiled to WebAssembly. The module needs no page, so that it also runs in a worker and in Node.
import type { RequestName, RequestOf, ResultOf } from './requests.js';

/** Functions of `crates/overmate-wasm`, which exchange texts through the memory. */
interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  request_room: (bytes: number) => number;
  answer: () => number;
  answer_text: () => number;
  answer_length: () => number;
}

/** Codes that the function `answer` returns, besides 0 for a result. */
const NO_TABLE = 1;
const FAULT = 2;

/** Error for a faulty request, with the engine's text as its message. The engine answers further requests. */
export class EngineFault extends Error {}

/** Exact solver with the table of the latest deal, and the computer opponent of the latest match. */
export class Engine {
  #exports: Exports;

  /** Starts a compiled `WebAssembly.Module`. Projects without the types of browsers do not know the name of its type. */
  constructor(module: object) {
    this.#exports = new WebAssembly.Instance(module).exports as Exports;
  }

  /** Executes a request by its name, and returns the result. Throws an `EngineFault` for a faulty request. */
  ask<Name extends RequestName>(name: Name, request: RequestOf<Name>): ResultOf<Name> {
    return JSON.parse(this.answer(JSON.stringify({ [name]: request })) ?? 'null') as ResultOf<Name>;
  }

  /**
   * Executes a request in JSON, and returns the result in JSON. Returns null if only a long search could find
   * values, and for a hint in a rule set with cards face down. Throws an `EngineFault` for a faulty request.
   */
  answer(request: string): string | null {
    const { memory, request_room, answer, answer_text, answer_length } = this.#exports;
    const bytes = new TextEncoder().encode(request);
    // Each call may let the memory grow, which replaces its buffer.
    const room = request_room(bytes.length);
    new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
    const code = answer();
    const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answer_text(), answer_length()));
    if (code === FAULT) throw new EngineFault(text);
    return code === NO_TABLE ? null : text;
  }
}
