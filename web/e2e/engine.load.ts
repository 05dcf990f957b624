// Measures the times that the engine in the page and the native engine take for the same requests. The
// project's documents state the times. No test depends on the times.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { Played } from '../packages/overmate/src/requests';
import { Engine } from '../packages/overmate/src/engine';
import { expect, test } from './support/test';

const ENGINE = new URL('../src/lib/engine/built/overmate.wasm', import.meta.url);
/**
 * Path of a second compiled engine that the test compares with the engine of the page; undefined without a
 * comparison.
 */
const OTHER = process.env.OVERMATE_OTHER_ENGINE;
const REPOSITORY = new URL('../../', import.meta.url);

/**
 * Arguments of `cargo` that run the native engine, compiled in the build profile of the WebAssembly engine.
 */
const NATIVE = 'bench --quiet --locked --profile engine --package overmate-wasm --bench native';

/** Number of different deals that are analysed for each rule set. The first analysis of a deal computes a table. */
const DEALS = 200;
/** Exclusive upper bound on the deal numbers of the published rule sets. */
const ALL_DEALS = 184_756;
/** Number of measured matches against each computer opponent. */
const MATCHES = 3;
/**
 * Number of measured actions of the opponent `perfect` in each match with 48 cards. Each of these actions takes
 * seconds.
 */
const LARGE_ACTIONS = 3;

const OPPONENTS = [...Array.from({ length: 9 }, (_, index) => `level:${index + 1}`), 'perfect'];

/**
 * Measured engine request and its result in JSON, with the response time in microseconds. Only requests with a name are
 * reported.
 */
interface Measured {
  what: string;
  request: string;
  answer: string;
  micros: number;
}

/** Sends requests to a compiled engine, and measures the time of each response. */
class Measurement {
  readonly measured: Measured[] = [];
  #engine: Engine;

  constructor(file: URL | string) {
    this.#engine = new Engine(new WebAssembly.Module(readFileSync(file)));
  }

  ask(what: string, asked: object): unknown {
    return JSON.parse(this.answer(what, JSON.stringify(asked)));
  }

  answer(what: string, request: string): string {
    const start = performance.now();
    const answer = this.#engine.answer(request) ?? '';
    this.measured.push({ what, request, answer, micros: (performance.now() - start) * 1000 });
    return answer;
  }
}

/** Repeats the requests of a measurement with the native engine, and returns the results with the response times. */
function native({ measured }: Measurement): Measured[] {
  const input = measured.map(({ request }) => `${request}\n`).join('');
  const options = { cwd: REPOSITORY, input, encoding: 'utf8' as const, maxBuffer: 1e9 };
  const lines = execFileSync('cargo', NATIVE.split(' '), options).trimEnd().split('\n');
  expect(lines).toHaveLength(measured.length);
  return measured.map(({ what, request }, index) => {
    const [, micros, answer] = /^([\d.]+) (.*)$/.exec(lines[index] ?? '') ?? [];
    return { what, request, answer: answer ?? '', micros: Number(micros) };
  });
}

/**
 * Repeats the requests of a measurement with the WebAssembly engine in a given file, and returns the results with the
 * response times.
 */
function other({ measured }: Measurement, file: string): Measured[] {
  const measurement = new Measurement(file);
  for (const { what, request } of measured) measurement.answer(what, request);
  return measurement.measured;
}

function analyseDeals(measurement: Measurement, rules: string): void {
  for (let index = 0; index < DEALS; index += 1) {
    const deal = String((index * 7919) % ALL_DEALS);
    measurement.ask(`analysis of a deal, ${rules}`, { analyse: { rules, deal } });
  }
}

/**
 * Plays a match until the match is over or the opponent has acted `most` times. The number of the turn selects one of
 * the person's legal actions.
 */
function playMatch(
  measurement: Measurement,
  rules: string,
  opponent: string,
  seed: number,
  most = Infinity
): void {
  const seeds = { deal_seed: String(seed), bot_seed: String(seed) };
  const you = { leads: seed % 2 === 0, name: null };
  const begin = { id: `${rules} ${opponent} ${seed}`, created_at: '2026-11-22T12:00:00Z', deal: null };
  let played = measurement.ask('', { begin: { ...begin, ...you, ...seeds, rules, opponent } }) as Played;
  let acted = 0;
  for (let turn = seed; !played.state.result && acted < most; turn += 1) {
    const { sequence, current } = played.state;
    const action = current.legal[turn % current.legal.length]?.action;
    const step = played.due ? 'answer' : { act: { sequence, action } };
    const what = played.due ? `action of ${opponent}, ${rules}` : '';
    acted += played.due ? 1 : 0;
    played = measurement.ask(what, { play: { match: played.match, step } }) as Played;
  }
}

/** Returns the median and the maximum response time of one kind of engine request, in milliseconds. */
function summary(measured: Measured[], what: string): string {
  const kind = measured.filter((one) => one.what === what);
  const sorted = kind.map(({ micros }) => micros / 1000).sort((a, b) => a - b);
  const [median, slowest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `${median?.toFixed(2)} | ${slowest?.toFixed(2)}`;
}

test('measures the engine of the page beside the native engine, which gives the same answers', () => {
  test.skip(!existsSync(ENGINE), 'the page has no engine: run `cargo xtask wasm`');
  const page = new Measurement(ENGINE);
  for (const rules of ['bga', 'sackson']) analyseDeals(page, rules);
  for (const opponent of OPPONENTS)
    for (let seed = 0; seed < MATCHES; seed += 1) playMatch(page, 'sackson', opponent, seed);
  for (let seed = 0; seed < MATCHES; seed += 1)
    playMatch(page, 'bga+pinochle', 'perfect', seed, LARGE_ACTIONS);
  const { measured } = page;
  const engines = { page: measured, native: native(page), ...(OTHER && { other: other(page, OTHER) }) };
  for (const answered of Object.values(engines))
    for (const [index, { request, answer }] of measured.entries())
      expect(answered[index]?.answer === answer, request).toBe(true);
  console.log(`request | count | ${Object.keys(engines).join(': median | slowest | ')}: median | slowest`);
  const kinds = [...new Set(measured.map(({ what }) => what))].filter(Boolean);
  for (const what of kinds) {
    const count = measured.filter((one) => one.what === what).length;
    const columns = Object.values(engines).map((answered) => summary(answered, what));
    console.log([what, count, ...columns].join(' | '));
  }
  expect(kinds).toHaveLength(3 + OPPONENTS.length);
});
