// Tests a match of two players and a spectator, with broken connections and with a face-down card.
import type { Page } from '@playwright/test';
import { act, newMatch, resign, type GameState, type LegalAction, type MatchState } from './support/api';
import { expect, test } from './support/test';
import { openForm, Table } from './support/table';

/** Creates a match against a friend on the start page, and returns the invitation link. */
async function invite(page: Page, rules: string, deal = '20010'): Promise<string> {
  const form = await openForm(page);
  await form.locator('input[name="opponent"][value="friend"]').check();
  await form.locator(`input[name="rules"][value="${rules}"]`).check();
  await form.getByLabel('Deal number').fill(deal);
  await page.getByTestId('start').click();
  await Table.arrived(page);
  return page.getByTestId('invite').locator('input').inputValue();
}

/** Opens an invitation link, accepts the invitation, and returns the `Table` object for the page of the match. */
async function join(page: Page, link: string): Promise<Table> {
  await page.goto(link);
  await page.getByTestId('join').click();
  return Table.arrived(page);
}

/** Returns the spectator link from the menu on the page of a match. */
async function watchLink(page: Page): Promise<string> {
  await page.getByTestId('open-more').click();
  const link = await page.getByRole('dialog').locator('input[readonly]').inputValue();
  await page.keyboard.press('Escape');
  return link;
}

/** Returns the game table of the player whose turn it is, out of the tables of both players. */
async function actor(a: Table, b: Table): Promise<Table> {
  const { current } = await a.state();
  return (current.to_act === 'first') === (current.first === 'a') ? a : b;
}

/** Waits until all pages show the complete move list of the current game. */
async function agree(state: MatchState, pages: Page[]): Promise<void> {
  const { steps, outcome } = state.current;
  for (const page of pages) {
    await expect(page.getByTestId('log').locator('> *')).toHaveCount(steps.length + (outcome ? 1 : 0));
  }
}

test('the guest learns whether the host has chosen or only seen the deal', async ({ page, somebody }) => {
  const told: [number, number, number][] = [];
  for (const deal of ['20010', '']) {
    const link = await invite(page, 'bga', deal);
    const friend = await (await somebody()).newPage();
    await friend.goto(link);
    await expect(friend.getByTestId('join')).toBeVisible();
    const chosen = await friend.getByTestId('deal-chosen').count();
    const seen = await friend.getByTestId('deal-seen').count();
    await friend.getByTestId('join').click();
    await Table.arrived(friend);
    told.push([chosen, seen, await friend.getByTestId('deal-chosen').count()]);
  }
  expect(told).toEqual([
    [1, 0, 1],
    [0, 1, 0]
  ]);
});

test('on a small phone a refused name leaves the invitation, and the menu fits', async ({
  page,
  somebody,
  watch
}) => {
  // The watcher of console errors allows the response with which the server refuses a name that is too long.
  watch.allow(/status of 400/);
  const link = await invite(page, 'bga', '');
  const phone = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 568 } });
  const friend = await phone.newPage();
  await friend.goto(link);
  await friend.getByRole('textbox').fill('W'.repeat(41));
  await friend.getByTestId('join').click();
  await expect(friend.getByTestId('problem')).toContainText('40');
  await friend.getByRole('textbox').fill('W'.repeat(40));
  await friend.getByTestId('join').click();
  await Table.arrived(friend);
  await friend.getByTestId('open-more').click();
  const menu = friend.getByRole('dialog');
  await expect(menu).toBeVisible();
  expect(await menu.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

const first = ([action]: LegalAction[]) => action;

test('two browsers and a watcher play a match through an outage and a crash of the server', async ({
  page,
  somebody,
  server,
  watch
}) => {
  // The watcher of console errors allows failed connections, because this test interrupts the network and kills the
  // server.
  watch.allow(/ERR_|WebSocket/);
  const link = await invite(page, 'bga');
  const friend = await somebody();
  const b = await join(await friend.newPage(), link);
  const a = new Table(page, b.id);
  const watching = await (await somebody()).newPage();
  await watching.goto(await watchLink(page));
  const pages = [a.page, b.page, watching];
  await expect(page.getByTestId('invite')).toBeHidden();

  for (let action = 0; action < 2; action += 1) {
    await (await actor(a, b)).play(first);
    await agree(await a.state(), pages);
  }

  // The network of one player fails, and works again after further actions of the other player.
  await friend.setOffline(true);
  while ((await actor(a, b)) === a) await a.play(first);
  await friend.setOffline(false);
  await agree(await a.state(), pages);

  // The test kills the server during a request for an action, and restarts the server with the same database.
  const before = await a.state();
  const playing = await actor(a, b);
  const [action] = (await playing.state()).current.legal;
  await playing.turn();
  await server.kill();
  for (const table of [a, b]) await expect(table.link).not.toHaveAttribute('data-link', 'live');
  if (action) await playing.begin(action);
  await expect(playing.page.getByTestId('status')).toContainText('Sending …');
  await server.start();
  for (const table of [a, b]) await table.ready();
  await expect.poll(async () => (await a.state()).sequence).toBe(before.sequence + 1);
  await agree(await a.state(), pages);

  // A reloaded page shows the whole match.
  await b.page.reload();
  await b.ready();
  let moves = 0;
  for (;;) {
    const state = await a.state();
    if (state.result) break;
    const playing = await actor(a, b);
    const [action] = (await playing.state()).current.legal;
    if (state.current.index === 0 || state.current.index === state.games - 1) {
      for (const page of pages) await goOn(page, state);
      await playing.play(first);
      moves += 1;
    } else {
      // The test plays all games of the match except the first and the last by requests to the server. The pages follow
      // the match.
      await act(playing.page.context(), state, action?.action ?? '');
    }
  }
  expect(moves).toBeGreaterThan(3);
  const { result, totals } = await a.state();
  for (const page of pages) {
    await goOn(page, await a.state());
    await expect(page.getByTestId('result')).toBeVisible();
  }
  // The spectator opens the review of the finished match, and goes back to the page of the match.
  await watching.getByTestId('review-link').click();
  await expect(watching.getByTestId('review-actions')).toBeVisible();
  await watching.getByRole('link', { name: 'Back to the table' }).click();
  await expect(watching.getByTestId('result')).toBeVisible();
  expect(Math.abs(totals.a - totals.b)).toBe(result?.margin);
});

/** Clicks through finished games of a match until the page shows the current game. */
async function goOn(page: Page, state: MatchState): Promise<void> {
  const head = page.locator('header').getByText(`Game ${state.current.index + 1} of ${state.games}`);
  const next = page.getByTestId('next-game');
  for (;;) {
    await expect(head.or(next).first()).toBeVisible();
    if (await head.isVisible()) return;
    await next.click();
  }
}

/** Collects all WebSocket and HTTP messages that a page receives. */
function received(page: Page): unknown[] {
  const all: unknown[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => all.push(JSON.parse(String(payload))))
  );
  page.on('response', async (response) => {
    if (!response.url().includes('/api/v1/matches/') || !response.ok()) return;
    const json: unknown = await response.json().catch(() => null);
    if (json) all.push(json);
  });
  return all;
}

/** Returns all game states inside a JSON message, at any depth. */
function gamesIn(message: unknown): GameState[] {
  if (typeof message !== 'object' || message === null) return [];
  const own = 'steps' in message && 'foreplaced' in message ? [message as GameState] : [];
  return [...own, ...Object.values(message).flatMap(gamesIn)];
}

test('a card that lies face down is known to its owner alone until the game is over', async ({
  page,
  somebody
}) => {
  const link = await invite(page, 'denexa');
  const friendPage = await (await somebody()).newPage();
  const watching = await (await somebody()).newPage();
  const strangers = [friendPage, watching];
  const told = strangers.map(received);
  const b = await join(friendPage, link);
  const a = new Table(page, b.id);
  await watching.goto(await watchLink(page));
  await expect(watching.getByTestId('link')).toHaveAttribute('data-link', 'live');

  const own = (await a.state()).current.legal.filter(({ kind }) => kind === 'foreplace');
  const hidden = own[4];
  expect(hidden?.card).toBeTruthy();
  const card = hidden?.card ?? '';
  await a.turn();
  await a.card(card).click({ position: { x: 9, y: 9 } });
  await expect(a.choice(hidden?.action ?? '')).toContainText('face down');
  await a.choice(hidden?.action ?? '').click();
  await expect(a.hand('first')).toHaveCount(9);
  for (const page of strangers) {
    await expect(page.getByTestId('side-first')).toContainText('face down');
    // The opponent sees that the hidden card is one of ten candidates.
    await expect(page.getByTestId('board').locator('[data-seat="first"]')).toHaveCount(10);
    await expect(page.getByTestId('board').getByRole('img', { name: 'may lie face down' })).toHaveCount(10);
  }

  await b.play((legal) => legal.find(({ kind }) => kind === 'decline'));
  for (;;) {
    const state = await a.state();
    if (state.current.index > 0) break;
    await agree(state, [a.page, b.page, watching]);
    await (await actor(a, b)).play((legal) => legal.at(-1));
  }
  for (const page of [a.page, ...strangers]) {
    await expect(page.getByTestId('end')).toBeVisible();
    // The page has no link to the values of a deal whose second game is not over.
    await expect(page.getByTestId('review-later')).toBeVisible();
    await expect(page.getByTestId('review-link')).toHaveCount(0);
    await page.getByTestId('open-moves').click();
    await expect(page.getByTestId('moves').getByRole('button').first()).toBeVisible();
    await expect(page.getByTestId('moves').getByRole('link')).toHaveCount(0);
    await page.keyboard.press('Escape');
  }

  for (const messages of told) {
    const games = messages.flatMap(gamesIn).filter(({ index }) => index === 0);
    const running = games.filter(
      ({ outcome, foreplaced }) => !outcome && foreplaced.first.kind === 'face_down'
    );
    expect(running.length).toBeGreaterThan(2);
    for (const { hands, foreplaced, steps } of running) {
      expect(foreplaced.first.card).toBeNull();
      expect(steps[0]).toMatchObject({ kind: 'face_down', card: null, text: '(?)' });
      // The hand in the messages to other people still contains the face-down card, because a missing card would reveal
      // which card lies face down.
      for (const { first } of [{ first: hands.first }, ...steps.map((step) => step.hands)]) {
        expect(first).toContain(card);
      }
    }
    // Both players see the foreplaced card after the game.
    expect(games.some(({ outcome, foreplaced }) => outcome && foreplaced.first.card === card)).toBe(true);
  }

  // The review page tells a spectator when the review of a game will open. The page does so for the finished first game
  // and for the running second game of the match.
  const token = new URL(watching.url()).pathname.split('/').at(-1) ?? '';
  const opens = 'has been played from the other side too';
  for (const game of [0, 1]) {
    await watching.goto(`/match/${b.id}/review?game=${game}&watch=${token}`);
    await expect(watching.getByTestId('review-waits')).toContainText(opens);
    await expect(watching.getByTestId('problem')).toHaveCount(0);
  }
  const waiting = await watching.context().newPage();
  await waiting.goto(`/match/${b.id}/review?game=0&watch=${token}`);
  await expect(waiting.getByTestId('review-waits')).toContainText(opens);
  await watching.getByRole('link', { name: 'Back to the table' }).click();
  await expect(watching.getByTestId('board')).toBeVisible();

  // The page that waits for the review shows the review as soon as the match is over.
  await resign(a.page.context(), a.id);
  await expect(waiting.getByTestId('lost-a')).toBeVisible();
});

test('friends see each other come and go, and say phrases', async ({ page, context, somebody }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, lead: 'me' });
  const table = await Table.open(page, match.id);
  const friend = await (await somebody({ locale: 'de-DE' })).newPage();
  await join(friend, match.invitation ?? '');
  const presence = page.getByTestId('presence');
  await expect(presence).toHaveAttribute('data-kind', 'here');
  await friend.getByTestId('open-phrases').click();
  await friend.locator('[data-phrase="good_luck"]').click();
  // Both players see the phrase that one of them said, each in the language of their own page.
  await Promise.all([
    expect(page.getByTestId('phrase')).toHaveText('Good luck'),
    expect(friend.getByTestId('phrase')).toHaveText('Viel Glück')
  ]);
  await expect(page.getByTestId('spoken')).toContainText('Good luck');
  const icon = page.locator('link[rel="icon"][type="image/svg+xml"]');
  await expect(icon).toHaveAttribute('href', /turn/);
  await table.play(([action]) => action);
  await expect(icon).not.toHaveAttribute('href', /turn/);
  await friend.close();
  await expect(presence).toHaveAttribute('data-kind', 'gone');
});

test('a rematch leads both friends to the new match, and says so', async ({ page, context, somebody }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, lead: 'me' });
  const friend = await (await somebody()).newPage();
  await join(friend, match.invitation ?? '');
  await Table.open(page, match.id);
  await page.getByTestId('open-more').click();
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await page.getByTestId('rematch').click();
  await friend.getByTestId('rematch').click();
  for (const player of [page, friend]) {
    await player.waitForURL((url) => !url.pathname.endsWith(match.id));
    await expect(player.getByTestId('status')).toContainText('A new match');
  }
  expect(page.url()).toBe(friend.url());
});

test('the address of a match tells a stranger whom to ask, and leads a spectator back', async ({
  context,
  somebody,
  watch
}) => {
  watch.allow(/status of 404/);
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  const stranger = await (await somebody()).newPage();
  await stranger.goto(`/match/${match.id}`);
  await expect(stranger.getByTestId('problem')).toContainText('ask a player for the link for watching');
  await stranger.goto(match.watch);
  await new Table(stranger, match.id).ready();
  await stranger.goto(`/match/${match.id}`);
  await stranger.getByTestId('watch').click();
  await new Table(stranger, match.id).ready();
});
