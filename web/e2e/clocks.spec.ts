// Tests a match with clocks between two browsers: invitation, pause, conditional answers, and loss on time.
import { act, join, newMatch, playInTurn, stateOf, type LegalAction, type MatchState } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

test('clocks of hours stand at the same height beside small boards', async ({ page, context, somebody }) => {
  const friend = await somebody();
  const clock = { kind: 'live', base: 10_800, increment: 10 } as const;
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, clock });
  await join(friend, match);
  await Table.open(page, match.id);
  await Table.open(await friend.newPage(), match.id);
  await expect(page.getByTestId('presence')).toBeVisible();
  for (const [width, height] of [
    [320, 568],
    [844, 390]
  ] as const) {
    await page.setViewportSize({ width, height });
    const parts = page.locator('.player');
    await expect(parts).toHaveCount(2);
    const tops = await parts.evaluateAll((players) =>
      players.map((player) =>
        ['.total', '[role="timer"]', 'h2'].map((part) =>
          Math.round(player.querySelector(part)?.getBoundingClientRect().top ?? -1)
        )
      )
    );
    const [total = 0, timer = 0, name = 0] = tops[0] ?? [];
    expect(tops[1], `${width} × ${height}`).toEqual([total, timer, name]);
    expect(total < timer && timer < name, `${width} × ${height}: ${tops.join(' ')}`).toBe(true);
  }
});

test('a friend is invited to a match with clocks, and both clocks stand at the table', async ({
  page,
  context,
  somebody
}) => {
  await page.goto('/');
  await page.getByTestId('clock').first().selectOption({ label: 'Clock 3 + 2' });
  await page.getByTestId('play-friend').click();
  const { id } = await Table.arrived(page);
  const link = await page.getByTestId('invite').locator('input').inputValue();
  const friend = await somebody({ locale: 'de-DE' });
  const guest = await friend.newPage();
  await guest.goto(link);
  await expect(guest.getByTestId('join-clock')).toContainText('3 Minuten');
  await guest.getByTestId('join').click();
  await Table.arrived(guest);
  for (const shown of [page, guest]) {
    for (const player of ['a', 'b']) {
      const clock = shown.getByTestId(`clock-${player}`);
      await expect(clock).toHaveText('3:00');
      await expect(clock).toHaveAttribute('data-ticks', 'false');
    }
  }
  // The clocks run once each player has taken their first action.
  const { clocks } = await playInTurn([context, friend], id, 2);
  for (const shown of [page, guest]) {
    const clock = shown.getByTestId(`clock-${clocks?.running}`);
    await expect(clock).toHaveAttribute('data-ticks', 'true');
    await expect(clock).not.toHaveText('3:00');
    await expect(shown.locator('[data-ticks="true"]')).toHaveCount(1);
  }
  // The clock is drawn separately: a tick of the clock does not change the board.
  const changes = await page.evaluate(async (player) => {
    let changes = 0;
    const board = document.querySelector('[data-testid="board"]') as Element;
    const clock = document.querySelector(`[data-testid="clock-${player}"]`) as Element;
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    const observer = new MutationObserver(() => (changes += 1));
    observer.observe(board, options);
    const text = clock.textContent;
    while (clock.textContent === text) await new Promise(requestAnimationFrame);
    observer.disconnect();
    return changes;
  }, clocks?.running ?? '');
  expect(changes).toBe(0);
});

test('two friends pause the clocks, and both have to continue', async ({ page, context, somebody }) => {
  const match = { rules: 'bga', opponent: { kind: 'friend' as const }, deal: '20010', lead: 'me' as const };
  const created = await newMatch(context, { ...match, clock: { kind: 'live', base: 600, increment: 0 } });
  const friend = await somebody({ locale: 'de-DE' });
  await join(friend, created);
  await Table.open(page, created.id);
  const guest = await friend.newPage();
  await Table.open(guest, created.id);
  // Nobody can pause clocks that do not run.
  await page.getByTestId('open-more').click();
  await expect(page.getByTestId('resign')).toBeVisible();
  await expect(page.getByTestId('pause-ask')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await playInTurn([context, friend], created.id, 2);
  await expect(page.locator('[data-ticks="true"]')).toHaveCount(1);
  await page.getByTestId('open-more').click();
  await page.getByTestId('pause-ask').click();
  await expect(page.getByTestId('pause')).toContainText('You have asked');
  await expect(guest.getByTestId('pause')).toContainText('bittet um eine Pause');
  await guest.getByTestId('pause-agree').click();
  for (const shown of [page, guest]) {
    await expect(shown.getByTestId('pause')).toHaveAttribute('data-paused', 'true');
    await expect(shown.locator('[data-ticks="true"]')).toHaveCount(0);
    await expect(shown.locator('button[data-card][aria-disabled="false"]')).toHaveCount(0);
  }
  await page.getByTestId('pause-agree').click();
  await expect(guest.getByTestId('pause')).toContainText('ist bereit');
  await expect(guest.getByTestId('pause')).toHaveAttribute('data-paused', 'true');
  await guest.getByTestId('pause-agree').click();
  for (const shown of [page, guest]) await expect(shown.getByTestId('pause')).toHaveText('');
  const { clocks } = await stateOf(context, created.id);
  expect(clocks?.paused_for).toBeNull();
  expect(clocks?.runs_in).toBeGreaterThan(0);
});

test('a conditional answer of one browser is played with the action of the other', async ({
  page,
  context,
  somebody
}) => {
  const match = { rules: 'bga', opponent: { kind: 'friend' as const }, deal: '20010', lead: 'me' as const };
  const created = await newMatch(context, { ...match, clock: { kind: 'days', days: 3 } });
  const friend = await somebody({ locale: 'de-DE' });
  await join(friend, created);
  const guest = await friend.newPage();
  await Table.open(guest, created.id);
  await guest.getByTestId('open-conditional').click();
  const panel = guest.getByTestId('conditional');
  const choose = async (action?: string) => {
    const choice = action
      ? panel.locator(`[data-action="${action}"]`)
      : panel.locator('[data-action]').first();
    const chosen = (await choice.getAttribute('data-action')) ?? '';
    await choice.click();
    await expect(panel.getByTestId('conditional-draft')).toBeVisible();
    return chosen;
  };
  const [lead] = created.current.legal;
  const action = lead?.action ?? '';
  await choose(action);
  await expect(panel.getByText('spielst du')).toBeVisible();
  await expect(panel.getByTestId('conditional-save')).toBeDisabled();
  const reply = await choose();
  await panel.getByTestId('conditional-save').click();
  await expect(panel.getByTestId('conditional-line')).toHaveCount(1);
  await guest.keyboard.press('Escape');

  const table = await Table.open(page, created.id);
  await table.card(lead?.card ?? '').click();
  await table.choice(action).click();
  await expect.poll(async () => (await stateOf(context, created.id)).sequence).toBe(created.sequence + 3);
  const { current } = await stateOf(friend, created.id);
  expect(current.steps.map(({ text }) => text)).toEqual([action, reply]);
  // The page lists no conditional answer any more, because the server has played the stored one.
  await expect(guest.getByTestId('conditional-line')).toHaveCount(0);
});

/** Chooses a legal non-mating action. */
const harmless = (legal: LegalAction[]): LegalAction | undefined => legal.find(({ mate }) => !mate);

test('the table of a correspondence match leads to the next match in turn, by its deadline', async ({
  page,
  context,
  somebody
}) => {
  const friend = await somebody();
  const ids = new Map<number, string>();
  // The test begins four matches in another order than the order of their deadlines.
  for (const days of [3, 7, 1, 2]) {
    const opponent = { kind: 'friend' as const };
    const clock = { kind: 'days' as const, days };
    const match = await newMatch(context, { rules: 'bga', opponent, deal: '20010', lead: 'me', clock });
    await join(friend, match);
    ids.set(days, match.id);
    // The clocks run once each player has taken their first action. The test plays on until the player is to act and
    // has a non-mating action.
    let state: MatchState;
    do state = await playInTurn([context, friend], match.id, 2, harmless);
    while (!state.current.legal.some(({ mate }) => !mate));
    expect(state.clocks?.running).toBe('a');
  }
  const table = await Table.open(page, ids.get(7) ?? '');
  const next = page.getByTestId('next-turn');
  await expect(next).toHaveCount(0);
  await table.play(harmless);
  for (const days of [1, 2, 3]) {
    const id = ids.get(days) ?? '';
    await expect(next).toHaveAttribute('href', `/match/${id}`);
    await next.click();
    // The test waits for the exact address of the next match, because the address of the previous match has the same
    // form.
    await page.waitForURL(`**/match/${id}`);
    const arrived = await Table.arrived(page);
    expect(arrived.id).toBe(id);
    await arrived.play(harmless);
  }
  // The page of the match has no link to a next match, because the player is to act in no other match.
  await expect(page.getByTestId('open-conditional')).toBeVisible();
  await expect(next).toHaveCount(0);
});

test('a player whose time is used up loses, and both pages say so', async ({ page, context, somebody }) => {
  const match = { rules: 'bga', opponent: { kind: 'friend' as const }, deal: '20010', lead: 'me' as const };
  const created = await newMatch(context, { ...match, clock: { kind: 'live', base: 12, increment: 0 } });
  const friend = await somebody();
  await join(friend, created);
  const table = await Table.open(page, created.id);
  const guest = await friend.newPage();
  await Table.open(guest, created.id);
  const said: string[] = [];
  await page.exposeFunction('said', (text: string) => said.push(text));
  await page.evaluate(() => {
    const tell = () => {
      for (const region of document.querySelectorAll('[aria-live]'))
        void (window as unknown as { said: (text: string) => void }).said(region.textContent ?? '');
    };
    new MutationObserver(tell).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true
    });
  });
  // Both players act until player A, who made the match, is to act and the clock of player A runs. Then player A lets
  // their time run out.
  let state = await playInTurn([context, friend], created.id, 2);
  if (state.clocks?.running !== 'a') {
    const now = await stateOf(friend, created.id);
    await act(friend, now, now.current.legal[0]?.action ?? '');
    state = await table.state();
  }
  expect(state.clocks?.running).toBe('a');
  await expect(page.getByTestId('clock-a')).toHaveText(/^\d\.\d$/);
  await expect(page.getByTestId('result')).toContainText('You ran out of time');
  await expect(guest.getByTestId('result')).toContainText('ran out of time; you win the match');
  const { result, clocks } = await table.state();
  expect([result?.out_of_time, result?.winner, clocks?.a]).toEqual(['a', 'b', 0]);
  const warnings = said.filter((text) => text.includes('You have 10 seconds left.'));
  expect(new Set(warnings).size, 'the own clock is announced').toBe(1);
});
