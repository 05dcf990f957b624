// Compares the results of the installed package with those of the native binary, whose path is in OVERMATE_BINARY.
// Writes requests of most kinds, and their results, to a TypeScript file, so that the type checker compares them with
// the types of the package.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { EngineFault, loadEngine } from 'overmate';

const RULES = ['bga', 'sackson', 'pagat', 'denexa', 'rael', 'sackson+free-move', 'sackson+figure-privilege'];
const DEALS = ['0', '20010', '184755', '77777'];

const overmate = (args, input = '') => {
  const options = { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] };
  return execFileSync(process.env.OVERMATE_BINARY, args, options);
};
const engine = await loadEngine();

let compared = 0;
for (const rules of RULES) {
  for (const deal of DEALS) {
    const actions = [];
    // Compares the values of the npm package with the values of the native binary, at each position of best play. The
    // package and the binary find best play independently.
    for (;;) {
      const here = engine.ask('analyse', { rules, deal, actions });
      const there = JSON.parse(
        overmate(['solve', '--json', '--rules', rules, '--after', actions.join(' '), deal])
      );
      assert.deepEqual(here.value_for_first, there.value_for_first);
      assert.deepEqual(here.line, there.line);
      const valued = here.actions.map(({ action, value_for_first }) => ({ action, value_for_first }));
      assert.deepEqual(valued, there.actions);
      compared += 1 + valued.length;
      if (here.line.length === 0) break;
      actions.push(here.line[0]);
    }
  }
}
assert.ok(compared > 1000, `${compared} values`);

// The command `arena` of the native binary writes a file of match records. The package and the binary review the
// games of the first record.
overmate([
  'arena',
  '--players',
  'level:2,level:6',
  '--matches',
  '2',
  '--seed',
  '5',
  '--rules',
  'pagat',
  '--record',
  'games.mates'
]);
const [record] = readFileSync('games.mates', 'utf8').split(/\n(?=\[Rules )/);
const short = ({ action, lost, best }) => [action, lost, best];
const reviewed = new Map();
for (const line of overmate(['review', '--json', '-'], record).trim().split('\n')) {
  const { game, ...action } = JSON.parse(line);
  if (action.action !== undefined) reviewed.set(game, [...(reviewed.get(game) ?? []), short(action)]);
}
for (const [game, actions] of reviewed) {
  assert.deepEqual(engine.ask('review', { record, game: game - 1 }).actions.map(short), actions);
}
assert.ok(reviewed.size >= 2, `${reviewed.size} games`);

assert.throws(() => engine.ask('facts', { rules: 'chess' }), EngineFault);
assert.equal(engine.ask('analyse', { rules: 'bga+pinochle', deal: '12345678' }), null);

// The package's module for browsers fetches the WebAssembly engine.
const { loadEngine: loadInPage } = await import('./node_modules/overmate/dist/browser.js');
const wasm = readFileSync('node_modules/overmate/dist/overmate.wasm');
const server = createServer(({ url }, response) =>
  response.writeHead(url === '/o.wasm' ? 200 : 404).end(wasm)
);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}`;
const asked = ['facts', { rules: 'sackson' }];
assert.deepEqual((await loadInPage(`${address}/o.wasm`)).ask(...asked), engine.ask(...asked));
await assert.rejects(loadInPage(`${address}/none.wasm`), /404/);
server.close();

// Sends a request to the engine, and converts the request and its result to TypeScript code. The type checker compares
// the code with the declared types.
const results = [];
const ask = (name, request) => {
  const result = engine.ask(name, request);
  const json = (value) => JSON.stringify(value, null, 1);
  results.push(
    `(${json(request)}) satisfies RequestOf<'${name}'>;\n(${json(result)}) satisfies ResultOf<'${name}'>;\n`
  );
  return result;
};
ask('analyse', { rules: 'sackson', deal: '20010', actions: ['-', '-', 'Tc'] });
ask('review', { record, game: 0 });
ask('rule_sets', {});
for (const rules of RULES) ask('facts', { rules });
const begin = {
  id: 'one',
  created_at: '2026-11-22T12:00:00Z',
  rules: 'sackson',
  opponent: 'level:4',
  leads: true
};
let played = ask('begin', { ...begin, deal: '20010', name: null, deal_seed: '1', bot_seed: '2' });
const step = (step) => (played = ask('play', { match: played.match, step }));
const act = ({ sequence, current }) => step({ act: { sequence, action: current.legal.at(-1).action } });
step('hint');
act(played.state);
step('undo');
while (played.state.result === null && played.match.entries.length < 40) {
  if (played.due) step('answer');
  else act(played.state);
}
step('resign');
step('read');
ask('record', { match: played.match });
assert.ok(results.length > 20, `${results.length} results`);
writeFileSync('results.ts', `import type { RequestOf, ResultOf } from 'overmate';\n\n${results.join('')}`);
console.log(
  `${compared} values and ${reviewed.size} reviews are those of the binary; ${results.length} results go to the type checker`
);
