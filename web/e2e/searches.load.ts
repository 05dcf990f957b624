// Counts the server's searches while one player uses the site, once with the engine (solver) running in the page and
// once without the engine. The project's documents state the counts and times. No test depends on the times.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { newMatch, playBoth } from './support/api';
import { Server } from './support/server';
import { Table } from './support/table';
import { expect, test as base, withoutEngine } from './support/test';

const ENGINE = new URL('../src/lib/engine/built/overmate.wasm', import.meta.url);

const test = base.extend<object, { server: Server }>({
  server: [
    // The empty object pattern must stay, because Playwright reads the names of the fixtures that a function uses from
    // the object pattern of its first parameter.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = new Server();
      await server.start(['--metrics', '127.0.0.1:0']);
      await use(server);
      await server.end();
    },
    { scope: 'worker' }
  ]
});

const RULES = 'sackson';
const ANALYSES = 20;
const REVIEWED_MATCHES = 5;

/**
 * Work of the server since its start: the number and the total time, in seconds, of visitors' searches and of the
 * actions of computer opponents. Visitors' searches are analyses, reviews and hints.
 */
interface Work {
  searches: number;
  seconds: number;
  actions: number;
  actionSeconds: number;
}

async function workOf(server: Server): Promise<Work> {
  const text = await (await fetch(server.metrics)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    searches: value('overmate_solve_seconds_count'),
    seconds: value('overmate_solve_seconds_sum'),
    actions: value('overmate_bot_seconds_count'),
    actionSeconds: value('overmate_bot_seconds_sum')
  };
}

async function analyse(page: Page, deals: number[]): Promise<void> {
  for (const deal of deals) {
    await page.goto(`/analysis?rules=${RULES}&deal=${deal}`);
    await expect(page.getByTestId('actions').getByRole('button').first()).toBeVisible();
  }
}

/** Opens the review pages of both games of each given match. */
async function review(page: Page, ids: string[]): Promise<void> {
  for (const id of ids) {
    for (const game of [0, 1]) {
      await page.goto(`/match/${id}/review?game=${game}`);
      await expect(page.getByTestId('graph')).toBeVisible();
    }
  }
}

/** Plays one deal against level 5, with a hint at each turn of the person. Returns the number of hints. */
async function playWithHints(page: Page, context: BrowserContext, deal: number): Promise<number> {
  const level = { rules: RULES, opponent: { kind: 'level' as const, level: 5 }, lead: 'me' as const };
  const { id } = await newMatch(context, { ...level, deal: String(deal), one_round: true });
  const table = await Table.open(page, id);
  for (let hints = 0; ;) {
    const turn = await table.turn();
    if (turn === 'over') return hints;
    if (turn === 'act') {
      await table.hint();
      hints += 1;
    }
    await table.play(([first]) => first);
  }
}

/**
 * Visits the site like a player: analyses deals, reviews matches, and plays deals with hints. Returns the number of
 * searches on the server and the number of requests for values.
 */
async function visit(
  how: string,
  server: Server,
  context: BrowserContext,
  deals: number[],
  finished: string[]
): Promise<{ searches: number; asked: number }> {
  const page = await context.newPage();
  const before = await workOf(server);
  await analyse(page, deals);
  await review(page, finished);
  const hints = await playWithHints(page, context, deals[0] ?? 0);
  const after = await workOf(server);
  await page.close();
  const reviews = 2 * finished.length;
  const since = (name: keyof Work) => after[name] - before[name];
  console.log(
    `${how}: ${deals.length} analyses, ${reviews} reviews, ${hints} hints: ` +
      `${since('searches')} searches in ${since('seconds').toFixed(3)} s, ` +
      `${since('actions')} actions of level 5 in ${since('actionSeconds').toFixed(3)} s`
  );
  expect(hints).toBeGreaterThan(5);
  return { searches: since('searches'), asked: deals.length + reviews + hints };
}

test('counts the searches of the server for one visitor, with the engine and without it', async ({
  server,
  somebody,
  watch
}) => {
  test.skip(!existsSync(ENGINE), 'the page has no engine: run `cargo xtask wasm`');
  watch.allow(/ERR_FAILED/);
  const context = await somebody();
  const deals = Array.from({ length: ANALYSES }, () => randomInt(184_756));
  const finished: string[] = [];
  for (let match = 0; match < REVIEWED_MATCHES; match += 1) {
    const both = { rules: RULES, opponent: { kind: 'both' as const }, one_round: true };
    const { id } = await playBoth(context, await newMatch(context, both), () => false);
    finished.push(id);
  }
  const here = await visit('with the engine', server, context, deals, finished);
  await withoutEngine(context);
  const there = await visit('without the engine', server, context, deals, finished);
  expect(here.searches).toBe(0);
  expect(there.searches).toBeGreaterThanOrEqual(there.asked);
});
