// Tests that the engine in the page gives the same answers as the server, and that the page uses it.
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext } from '@playwright/test';
import type { components } from '../src/lib/api/schema';
import { Engine } from '../src/lib/engine/engine';
import { newMatch } from './support/api';
import { expect, test } from './support/test';

type Schemas = components['schemas'];

const RULES = ['bga', 'sackson', 'pagat', 'rael', 'sackson+free-move', 'sackson+figure-privilege'];

/** Number of games for each rule set. Each game gives about ten positions. */
const GAMES = process.env.OVERMATE_THOROUGH ? 200 : 12;

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
