// Tests a whole match against a computer opponent, and the reviews of the games.
import { overmate } from './support/server';
import { newMatch, recordOf, resign } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

interface Value {
  exact: number | null;
}

/** Output line of `overmate review --json`, reduced to the fields that a test reads. */
interface Reviewed {
  game?: number;
  player: string;
  seat: 'first' | 'second';
  action: string;
  before: Value;
  after: Value;
  lost: number | null | { a: number; b: number };
}

/** Parses a number in the display format of the pages: a typographic minus sign, and a dash in place of 0. */
const read = (text: string): number => (text.trim() === '–' ? 0 : Number(text.trim().replace('−', '-')));

test('a match with a level is played out, and its reviews agree with `overmate review`', async ({
  page,
  context
}) => {
  await page.goto('/');
  await page.getByTestId('play').click();
  const table = await Table.arrived(page);
  await table.playOut();

  const state = await table.state();
  expect(state.result).not.toBeNull();
  await expect(page.getByTestId('end')).toBeVisible();
  const record = await recordOf(context, table.id);
  const lines = overmate(['review', '--json', '-'], record)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Reviewed);
  const actions = lines.filter((line) => line.game !== undefined);
  const games = [...new Set(actions.map((line) => line.game))];
  expect(games).toHaveLength(state.games);

  await page.getByTestId('review-link').click();
  const shown = { a: 0, b: 0 };
  for (const [index, game] of games.entries()) {
    await page.goto(`/match/${table.id}/review?game=${index}`);
    const told = actions.filter((line) => line.game === game);
    const rows = page.getByTestId('review-actions').locator('tbody tr');
    await expect(rows).toHaveCount(told.length);
    const own = told.find((line) => line.player.toLowerCase() === state.you);
    const sign = own?.seat === 'first' ? 1 : -1;
    // The review shows the results of both games of a deal from the view of this browser's player.
    const result = (index: number) => {
      const { a = NaN, b = NaN } = state.scores[index] ?? {};
      return state.you === 'a' ? a - b : b - a;
    };
    const seatings = page.getByTestId('seatings');
    await expect(seatings).toContainText('Result for you');
    const results = (await seatings.locator('td.number').allInnerTexts()).slice(0, 2).map(read);
    expect(results).toEqual([result(index), result(index ^ 1)]);
    for (const [at, { before, after, lost }] of told.entries()) {
      const cells = await rows.nth(at).locator('td').allInnerTexts();
      expect((cells[3] ?? '').split('→').map(read)).toEqual(
        [before, after].map(({ exact }) => sign * (exact ?? NaN) || 0)
      );
      expect(read(cells[4] ?? '')).toBe(lost);
    }
    for (const player of ['a', 'b'] as const) {
      const words = await page.getByTestId(`lost-${player}`).innerText();
      shown[player] += Number(/ lost (\d+) point/.exec(words)?.[1]);
      const losses = told
        .filter((line) => line.player.toLowerCase() === player)
        .map(({ lost }) => Number(lost));
      const shownLosses = await page.getByTestId(`mistakes-${player}`).locator('strong').allInnerTexts();
      expect(shownLosses.map((text) => -read(text))).toEqual(
        losses.filter((lost) => lost > 0).sort((a, b) => b - a)
      );
    }
  }
  expect(shown).toEqual(lines.at(-1)?.lost);
});

test('the words about a new match stay until the first action of the player', async ({ page, context }) => {
  const level = { kind: 'level' as const, level: 1 };
  const { id } = await newMatch(context, { rules: 'bga', opponent: level, lead: 'me' });
  await resign(context, id);
  await Table.open(page, id);
  await page.getByTestId('rematch').click();
  await page.waitForURL((url) => !url.pathname.endsWith(id));
  const table = await Table.arrived(page);
  // The opponent leads, and the page shows the lead before the player acts.
  await table.turn();
  await expect.poll(() => table.log.count()).toBeGreaterThan(0);
  const state = await table.state();
  expect(state.current.first).not.toBe(state.you);
  const status = page.getByTestId('status');
  await expect(status).toContainText('A new match: Level 1 leads.');
  const [action] = state.current.legal;
  if (action) await table.act(action);
  await expect(status).not.toContainText('A new match');
});
