// Tests that the engine in the page gives the same results as the server, and that the page uses this engine.
import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import type { components } from '../src/lib/api/schema';
import { Engine } from '../packages/overmate/src/engine';
import { act, hintIn, newMatch, playBoth, recordOf, stateOf, undo, type Hint } from './support/api';
import { sampled, thorough } from './support/sample';
import { overmate } from './support/server';
import { Table } from './support/table';
import { expect, test, withoutEngine } from './support/test';

type Schemas = components['schemas'];

const RULES = ['bga', 'sackson', 'pagat', 'rael', 'sackson+free-move', 'sackson+figure-privilege'];

/** Number of tested games for each rule set. Each game gives about ten positions. */
const GAMES = thorough ? 200 : 3;

/** Number of tested matches with hints for each rule set. A match has two games. */
const HINTED_MATCHES = thorough ? 30 : 1;

/** Number of tested matches of each computer opponent. */
const MATCHES = thorough ? 40 : 2;

const engine = () =>
  new Engine(
    new WebAssembly.Module(readFileSync(new URL('../src/lib/engine/built/overmate.wasm', import.meta.url)))
  );

const analysed = async (context: BrowserContext, data: object): Promise<Schemas['Analysis']> =>
  (await context.request.post('/api/v1/analysis', { data })).json() as Promise<Schemas['Analysis']>;

test('the engine gives the same analyses as the server', async ({ context }) => {
  const here = engine();
  let compared = 0;
  for (const rules of RULES) {
    for (let game = 0; game < GAMES; game += 1) {
      const request = { rules, deal: String(randomInt(184_756)), actions: [] as string[] };
      for (;;) {
        const there = await analysed(context, request);
        const found: unknown = JSON.parse(here.answer(JSON.stringify({ analyse: request })) ?? 'null');
        expect(found, JSON.stringify(request)).toEqual(there);
        compared += 1;
        const next = there.actions[randomInt(Math.max(1, there.actions.length))];
        if (!next) break;
        request.actions.push(next.action);
      }
    }
  }
  expect(compared).toBeGreaterThan(30 * GAMES);
});

test('the engine refuses a faulty request with the words of the server, and leaves large decks to it', async ({
  context
}) => {
  const here = engine();
  let refused = 0;
  for (const request of [
    { rules: 'chess', deal: '1' },
    { rules: 'bga', deal: 'one' },
    { rules: 'bga', deal: '20010', actions: ['Zz'] },
    { rules: 'bga', deal: '20010', position: 'none' },
    { rules: 'bga', position: 'none' },
    { record: 'none' }
  ]) {
    const response = await context.request.post('/api/v1/analysis', { data: request });
    expect(response.ok()).toBe(false);
    const { detail } = (await response.json()) as Schemas['Problem'];
    expect(() => here.answer(JSON.stringify({ analyse: request }))).toThrow();
    try {
      here.answer(JSON.stringify({ analyse: request }));
    } catch (thrown) {
      expect(detail).toContain((thrown as Error).message);
    }
    refused += 1;
  }
  expect(refused).toBe(6);
  const large = { analyse: { rules: 'bga+pinochle', deal: '12345678' } };
  expect(here.answer(JSON.stringify(large))).toBeNull();
});

test('the page analyses without the server, but not a deal that is being played', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/status of 403/);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/analysis?rules=bga&deal=20010');
  const actions = page.getByTestId('actions').getByRole('button');
  await expect(actions.first()).toBeVisible();
  expect(asked.filter((path) => path === '/api/v1/analysis/check')).toHaveLength(1);
  expect(asked).not.toContain('/api/v1/analysis');

  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, lead: 'me' });
  const deal = match.current.deal ?? '';
  await page.goto(`/analysis?rules=bga&deal=${deal}`);
  await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'match-running');
  expect(asked).not.toContain('/api/v1/analysis');
});

test('the page reviews matches without the server, and finds the same', async ({ page, context }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const here = engine();
  let compared = 0;
  for (const rules of RULES) {
    const begun = await newMatch(context, { rules, opponent: { kind: 'both' }, lead: 'me' });
    const match = await playBoth(context, begun, () => false);
    const record = await recordOf(context, match.id);
    for (const game of match.reviewable.keys()) {
      const response = await context.request.get(`/api/v1/matches/${match.id}/review?game=${game}`);
      expect(response.ok(), await response.text()).toBe(true);
      const found: unknown = JSON.parse(here.answer(JSON.stringify({ review: { record, game } })) ?? 'null');
      expect(found, record).toEqual(await response.json());
      compared += 1;
    }
    await page.goto(`/match/${match.id}/review?game=0`);
    await expect(page.getByTestId('graph')).toBeVisible();
    expect(asked).toContain(`/api/v1/matches/${match.id}/record`);
    expect(asked).not.toContain(`/api/v1/matches/${match.id}/review`);
  }
  expect(compared).toBeGreaterThanOrEqual(2 * RULES.length);
});

test('the engine gives the same hints as the server', async ({ context }) => {
  const here = engine();
  let [matches, compared, undone] = [0, 0, 0];
  for (const rules of sampled([RULES.slice(0, 3), RULES.slice(3)], 'hints').flat()) {
    for (let match = 0; match < HINTED_MATCHES; match += 1) {
      const both = { rules, opponent: { kind: 'both' as const }, one_round: true };
      let state = await newMatch(context, both);
      matches += 1;
      const { id } = state;
      while (!state.result) {
        const client_id = randomUUID();
        const { sequence, actions } = await hintIn(context, id, client_id, false);
        expect(actions).toEqual([]);
        const there = await hintIn(context, id, client_id, true);
        state = await stateOf(context, id);
        expect([sequence, there.sequence]).toEqual([state.sequence, state.sequence]);
        const { deal, steps, legal } = state.current;
        const request = { sequence, game: { rules, deal, actions: steps.map(({ text }) => text) } };
        const found: unknown = JSON.parse(here.answer(JSON.stringify({ hint: request })) ?? 'null');
        expect(found, JSON.stringify(request)).toEqual(there);
        compared += 1;
        if (state.undo && randomInt(8) === 0) {
          state = await undo(context, id);
          undone += 1;
        } else {
          state = await act(context, state, legal[randomInt(legal.length)]?.action ?? '');
        }
      }
    }
  }
  expect(compared).toBeGreaterThan(20 * matches);
  expect(undone).toBeGreaterThan(matches);
  for (const rules of ['denexa', 'bga+pinochle']) {
    const request = { sequence: 1, game: { rules, deal: '20010' } };
    expect(here.answer(JSON.stringify({ hint: request }))).toBeNull();
  }
});

/** Body of an HTTP request for a hint. */
type HintRequest = Schemas['HintRequest'];

/** Collects the bodies of the HTTP requests for hints that a page sends. */
function hintsOf(page: Page): HintRequest[] {
  const asked: HintRequest[] = [];
  page.on('request', (request) => {
    if (/\/api\/v1\/matches\/[^/]+\/hint$/.test(request.url()))
      asked.push(request.postDataJSON() as HintRequest);
  });
  return asked;
}

/** Rule set, opponent, deal and first leader of the match in the tests of hints. */
const HINTED = { rules: 'bga', opponent: { kind: 'both' as const }, deal: '20010', lead: 'me' as const };
/** Number of hints that the test requests in each browser, one hint in each turn. */
const TURNS = 4;

test('the page gives hints without values from the server, and with them if it has no engine', async ({
  somebody,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  const shown: string[][] = [];
  for (const blocked of [false, true]) {
    const context = await somebody();
    if (blocked) await withoutEngine(context);
    const page = await context.newPage();
    const asked = hintsOf(page);
    const table = await Table.open(page, (await newMatch(context, HINTED)).id);
    for (let turn = 0; turn < TURNS; turn += 1) {
      expect(await table.turn()).toBe('act');
      const before = asked.length;
      shown.push(await table.hint());
      const values = asked.slice(before).map(({ values }) => values ?? true);
      expect(values).toEqual([blocked]);
      expect(new Set(asked.slice(before).map(({ client_id }) => client_id)).size).toBe(1);
      await table.play((legal) => legal.at(-1));
    }
    expect((await table.state()).marks).toHaveLength(TURNS);
  }
  expect(shown).toHaveLength(2 * TURNS);
  expect(shown.slice(0, TURNS)).toEqual(shown.slice(TURNS));
});

test('for a large deck and for a card face down, the page asks the server once, and for the values only', async ({
  page,
  context
}) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/analysis|\/hint$|\/record$|\/review$/.test(pathname) && request.resourceType() === 'fetch')
      asked.push(pathname.replace(/[0-9a-f]{32}/, ''));
  });
  const hints = hintsOf(page);
  for (const rules of ['denexa', 'bga+pinochle']) {
    const both = { rules, opponent: { kind: 'both' as const }, deal: '20010', one_round: true };
    const { id } = await newMatch(context, both);
    const table = await Table.open(page, id);
    expect(await table.turn()).toBe('act');
    await table.hint();
    expect(asked.splice(0)).toEqual(['/api/v1/matches//hint']);
  }
  expect(hints.map(({ values }) => values ?? true)).toEqual([true, true]);
  await page.goto('/analysis?rules=bga%2Bpinochle&deal=20010');
  await expect(page.getByTestId('actions').getByRole('button').first()).toBeVisible();
  expect(asked.splice(0)).toEqual(['/api/v1/analysis']);
  const large = { rules: 'bga+pinochle', opponent: { kind: 'both' as const }, one_round: true };
  const match = await playBoth(context, await newMatch(context, large), (state) => state.game > 0);
  await page.goto(`/match/${match.id}/review?game=0`);
  await expect(page.getByTestId('graph')).toBeVisible();
  expect(asked.splice(0)).toEqual(['/api/v1/matches//review']);
});

test('after an action in another window, the server gives the values for the position of the hint', async ({
  page,
  context
}) => {
  const { id } = await newMatch(context, HINTED);
  const table = await Table.open(page, id);
  await table.turn();
  const asked = hintsOf(page);
  const answers: Hint[] = [];
  await page.route('**/hint', async (route) => {
    const response = await route.fetch();
    answers.push((await response.json()) as Hint);
    if (answers.length === 1) {
      const state = await stateOf(context, id);
      await act(context, state, state.current.legal[0]?.action ?? '');
    }
    await route.fulfill({ response });
  });
  const legal = (await table.state()).current.legal.map(({ action }) => action);
  await page.getByTestId('hint').click();
  await expect.poll(() => answers.length).toBe(2);
  expect(asked.map(({ values }) => values)).toEqual([false, undefined]);
  expect(asked[0]?.client_id).toBe(asked[1]?.client_id);
  expect(answers.map(({ sequence }) => sequence)).toEqual([1, 1]);
  expect(answers[1]?.actions.map(({ action }) => action)).toEqual(legal);
  // The page does not show the values of the hint, because the position has changed since the request for the hint.
  await expect(table.log).toHaveCount(1);
  await expect(page.getByTestId('hint')).toBeEnabled();
  await expect(page.getByTestId('hint')).toHaveText('Hint');
  await expect(page.getByTestId('status')).not.toContainText('best');
});

/** Game of a match record, as `overmate replay --json` prints the game. */
interface ReplayedGame {
  deal: string;
  actions: string[];
}

test('the opponents in the page act as the program’s own, for the same seed', () => {
  const SEED = '7';
  const here = engine();
  const folder = mkdtempSync(join(tmpdir(), 'overmate-engine-'));
  let compared = 0;
  for (const [at, level] of ['1', '2', '3', '4', '5', '6', '7', '8', '9', 'perfect'].entries()) {
    const rules = RULES[at % RULES.length] ?? 'bga';
    const file = join(folder, `${level}.mates`);
    const served = `served=${process.env.OVERMATE_BINARY} bot --level ${level} --seed ${SEED}`;
    const matches = String(MATCHES);
    const arena = ['arena', '--players', 'level:5', '--bot', served, '--matches', matches, '--seed', '1'];
    overmate([...arena, '--rules', rules, '--record', file], '');
    for (const record of readFileSync(file, 'utf8').split(/(?=^\[Rules )/m)) {
      if (!record.startsWith('[Rules ')) continue;
      const lines = overmate(['replay', '--json', '-'], record).trim().split('\n');
      const games = lines.slice(0, -1).map((line) => JSON.parse(line) as ReplayedGame);
      const { players } = JSON.parse(lines.at(-1) ?? '') as { players: { a: string; b: string } };
      expect([players.a, players.b].filter((name) => name.includes('served'))).toHaveLength(1);
      const you = players.a.includes('served') ? 'b' : 'a';
      let match: object = {
        id: record.slice(0, 500),
        created_at: '2026-11-22T12:00:00Z',
        rules,
        deals: games.filter((_, index) => index % 2 === 0).map(({ deal }) => deal),
        deal_chosen: false,
        opponent: level === 'perfect' ? level : `level:${level}`,
        seed: SEED,
        you,
        name: null,
        entries: []
      };
      interface Played {
        match: { entries: unknown[] };
        due: boolean;
        state: Schemas['MatchState'];
      }
      const play = (step: unknown): Played => {
        const played = JSON.parse(here.answer(JSON.stringify({ play: { match, step } })) ?? 'null') as Played;
        match = played.match;
        return played;
      };
      let played = play('read');
      for (const action of games.flatMap(({ actions }) =>
        actions.map((action) => action.replace(/#+$/, ''))
      )) {
        if (!played.due) {
          played = play({ act: { sequence: played.state.sequence, action } });
          continue;
        }
        played = play('answer');
        expect(played.match.entries.at(-1), `${level}, ${rules}`).toEqual({ act: action });
        compared += 1;
      }
      expect(played.state.result).not.toBeNull();
    }
  }
  expect(compared).toBeGreaterThan(250 * MATCHES);
});
