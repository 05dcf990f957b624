// Tests two whole rated matches between the browsers of two accounts: a live match, and a correspondence match with a
// conditional answer.
import type { BrowserContext, Page } from '@playwright/test';
import { act, join, newMatch, signUp, stateOf, type MatchState, type NewMatch } from './support/api';
import { thorough } from './support/sample';
import { expect, test } from './support/test';
import { Table } from './support/table';

/**
 * Player of a rated match: the account's handle, the seat in the match, and the game table in the player's browser.
 */
interface Player {
  handle: string;
  seat: 'a' | 'b';
  table: Table;
}

/** Begins a rated match between two new accounts. The server decides which account is player A and leads first. */
async function begin(
  page: Page,
  friend: BrowserContext,
  clock: NonNullable<NewMatch['clock']>
): Promise<[Player, Player]> {
  const context = page.context();
  const [ada, bea] = [await signUp(context, 'Ada'), await signUp(friend, 'Bea')];
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, rated: true, clock });
  await join(friend, match);
  const sit = async (handle: string, page: Page): Promise<Player> => {
    const table = await Table.open(page, match.id);
    const { you } = await table.state();
    if (you !== 'a' && you !== 'b') throw new Error(`the account ${handle} has no seat`);
    return { handle, seat: you, table };
  };
  return [await sit(ada, page), await sit(bea, await friend.newPage())];
}

/** Returns the player whose turn it is in the match. */
async function actor(players: [Player, Player]): Promise<Player> {
  const { current } = await players[0].table.state();
  const acts = (current.to_act === 'first') === (current.first === 'a') ? 'a' : 'b';
  return players[0].seat === acts ? players[0] : players[1];
}

/**
 * Plays a match to its end: the first `atBoard` games at the boards of both players, and the remaining games by HTTP
 * requests. Before each action, `acts` is called with the player to act. Returns the number of actions, and the indices
 * of the games in which the actions were taken.
 */
async function playOut(
  players: [Player, Player],
  atBoard: number,
  acts: (player: Player, taken: number) => Promise<void>
): Promise<{ taken: number; games: Set<number> }> {
  const games = new Set<number>();
  for (let taken = 0; ; taken += 1) {
    const { result, current } = await players[0].table.state();
    if (result) return { taken, games };
    const player = await actor(players);
    await acts(player, taken);
    if (current.index < atBoard) {
      // A player's page shows a finished game until this player goes on to the next game.
      while ((await player.table.play(([first]) => first)) === 'next');
    } else {
      const { page, id } = player.table;
      const state = await stateOf(page.context(), id);
      await act(page.context(), state, state.current.legal[0]?.action ?? '');
    }
    games.add(current.index);
  }
}

/** Returns the number of actions in all games of a finished match. */
const stepsOf = ({ finished, current }: MatchState): number =>
  [...finished, current].reduce((sum, { steps }) => sum + steps.length, 0);

/** Clicks through finished games until the page shows the result of the match. */
async function atEnd({ page }: Table): Promise<void> {
  const [next, result] = [page.getByTestId('next-game'), page.getByTestId('result')];
  for (;;) {
    await expect(next.or(result).first()).toBeVisible();
    if (await result.isVisible()) return;
    await next.click();
  }
}

/**
 * Checks the match result and the new ratings on the game tables and profiles of both players. The match is the first
 * rated match of both players: by Glicko-2 with the initial deviation, the winner gets 1662 points and the loser 1338.
 */
async function holdsEnd(players: [Player, Player], pace: string): Promise<MatchState> {
  const end = await players[0].table.state();
  const { result, totals } = end;
  expect(Math.abs(totals.a - totals.b)).toBe(result?.margin);
  expect([result?.resigned, result?.out_of_time, result?.abandoned]).toEqual([null, null, false]);
  for (const [at, { handle, seat, table }] of players.entries()) {
    const { page } = table;
    const won = result?.winner === seat;
    const after = !result?.winner ? 1500 : won ? 1662 : 1338;
    await atEnd(table);
    const points = `${totals[seat]}:${totals[seat === 'a' ? 'b' : 'a']}`;
    await expect(page.getByTestId('result').locator('.points')).toHaveText(points);
    await expect(page.getByTestId('rating-change')).toContainText(`Your rating: 1500 → ${after}`);
    // Each player's opponent opens the player's profile in a new tab.
    const reader = players[1 - at]?.table.page;
    if (!reader) throw new Error('a match has two players');
    const shown = await reader.context().newPage();
    await shown.goto(`/players/${handle}`);
    const row = shown.getByTestId('ratings').locator('tbody tr');
    await expect(row).toHaveCount(1);
    await expect(row).toContainText(pace);
    await expect(row).toContainText(`${after}?`);
    await expect(row).toContainText(!result?.winner ? '0 · 1 · 0' : won ? '1 · 0 · 0' : '0 · 0 · 1');
    const opponent = players[1 - at]?.handle ?? '';
    await expect(
      shown.getByTestId('rated-matches').getByRole('link', { name: opponent }),
      'the profile names the opponent'
    ).toBeVisible();
    await shown.close();
  }
  return end;
}

test('two accounts play a whole rated live match, and both clocks run', async ({ page, somebody }) => {
  const base = 600;
  const players = await begin(page, await somebody(), { kind: 'live', base, increment: 0 });
  const ticked = new Set<string>();
  let began = 0;
  const { taken, games } = await playOut(players, thorough ? 4 : 2, async ({ seat, table }, taken) => {
    // No clock of a live match runs before both players have acted, or for a while at the beginning of each further
    // game.
    if (taken < 2) return;
    began ||= performance.now();
    if ((await table.state()).clocks?.runs_in) return;
    for (const { table } of players) {
      const ticking = table.page.locator('[role="timer"][data-ticks="true"]');
      await expect(ticking).toHaveCount(1);
      await expect(ticking).toHaveAttribute('data-testid', `clock-${seat}`);
    }
    ticked.add(seat);
  });
  const passed = performance.now() - began;
  expect(ticked.size).toBe(2);
  expect([...games]).toEqual([0, 1, 2, 3]);
  const end = await holdsEnd(players, 'live');
  expect(stepsOf(end)).toBe(taken);
  const { clocks } = end;
  const used = [clocks?.a, clocks?.b].map((left) => base * 1000 - (left ?? 0));
  for (const time of used) expect(time, 'each clock has run').toBeGreaterThan(0);
  // Both clocks together have used no more time than the test, because at most one clock runs at a time.
  expect((used[0] ?? 0) + (used[1] ?? 0)).toBeLessThanOrEqual(passed + 1000);
});

test('two accounts play a whole rated match by correspondence, with a conditional answer', async ({
  page,
  somebody
}) => {
  const players = await begin(page, await somebody(), { kind: 'days', days: 3 });
  const first = await actor(players);
  const second = players[0] === first ? players[1] : players[0];
  const { current } = await first.table.state();
  const lead = current.legal.find(({ mate }) => !mate);
  if (!lead) throw new Error('each lead gives mate');

  // The second player stores a conditional answer to a possible lead of the first player, and closes the page.
  const away = second.table.page;
  await away.getByTestId('open-conditional').click();
  const panel = away.getByTestId('conditional');
  await panel.locator(`[data-action="${lead.action}"]`).click();
  await expect(panel.getByTestId('conditional-save')).toBeDisabled();
  const choice = panel.locator('.choices [data-action]').last();
  const reply = (await choice.getAttribute('data-action')) ?? '';
  await choice.click();
  await panel.getByTestId('conditional-save').click();
  await expect(panel.getByTestId('conditional-line')).toHaveCount(1);
  await away.close();

  // The first player leads, and the server at once plays the second player's stored conditional answer.
  await first.table.act(lead);
  await expect(first.table.log).toHaveCount(2);
  const { current: played } = await stateOf(first.table.page.context(), first.table.id);
  expect(played.steps.map(({ text }) => text)).toEqual([lead.action, reply]);
  for (const player of ['a', 'b'])
    await expect(first.table.page.getByTestId(`clock-${player}`)).toHaveText('3d 0h');

  const back = await away.context().newPage();
  second.table = await Table.open(back, second.table.id);
  await expect(second.table.log).toHaveCount(2);
  await expect(back.getByTestId('conditional-line')).toHaveCount(0);
  const { taken, games } = await playOut(players, 1, async () => {});
  expect([...games]).toEqual([0, 1, 2, 3]);
  const end = await holdsEnd(players, 'correspondence');
  // The number of actions `taken` that `playOut` returns does not include the first lead and its conditional answer.
  // These actions were played before the call.
  expect(stepsOf(end)).toBe(taken + 2);
  expect(end.finished[0]?.steps.slice(0, 2).map(({ text }) => text)).toEqual([lead.action, reply]);
});
