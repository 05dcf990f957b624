// Tests offline play: the page starts and plays without a network, and does not force the player to load a new version.
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import { newMatch, PASSWORD, signUp } from './support/api';
import { focusOn } from './support/focus';
import { Network } from './support/network';
import { openForm, Table } from './support/table';
import { expect, installed, test, withoutServiceWorker } from './support/test';

test.use({ installs: true });

/** Clicks the first legal card on the board, and then the button of the first action with this card. */
async function playCard(table: Table): Promise<void> {
  const [card] = await table.marked();
  await table
    .card(card ?? '')
    .first()
    .click({ position: { x: 9, y: 9 } });
  await table.dock.locator('[data-action]').first().click();
}

/**
 * Plays the first legal card or, after the end of a game, opens the next game. Returns whether the match is over, in
 * which case nothing is played.
 */
async function turn(page: Page, table: Table): Promise<boolean> {
  await page
    .locator('[data-testid="result"], [data-testid="next-game"], button[data-card][aria-disabled="false"]')
    .first()
    .waitFor();
  const kind = await table.turn();
  if (kind === 'over') return true;
  if (kind === 'next') {
    await page.getByTestId('next-game').click();
    return false;
  }
  const before = await table.log.count();
  await playCard(table);
  await expect.poll(() => table.log.count()).not.toBe(before);
  return false;
}

/** Waits until the page shows the game table of an offline match, which runs in the page without the server. */
async function arrivedHere(page: Page): Promise<Table> {
  await page.waitForURL(/\/match\/here-[^/]+$/);
  const table = new Table(page, new URL(page.url()).pathname.split('/')[2] ?? '');
  await expect(table.link).toHaveAttribute('data-link', 'here');
  return table;
}

const listed = async (context: BrowserContext): Promise<number> => {
  const response = await context.request.get('/api/v1/matches');
  return ((await response.json()) as { matches: unknown[] }).matches.length;
};

test('without a network the page starts, plays a match to its end, lists and reviews it', async ({
  page,
  context,
  server,
  watch
}) => {
  watch.allow(/ERR_|Failed to fetch|net::/);
  await page.goto('/');
  await installed(page);
  await context.setOffline(true);
  await server.kill();
  try {
    await page.reload();
    await expect(page.getByTestId('offline-play')).toContainText('You can play the computer all the same');
    // Without a connection, the start page shows no message about a problem, so that the play button stays in view.
    await expect(page.getByTestId('problem')).toHaveCount(0);
    await page.setViewportSize({ width: 375, height: 600 });
    await expect(page.getByTestId('play')).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const path of ['/learn/foreplace', '/puzzles']) {
      await page.goto(path);
      await expect(page.getByTestId('problem').first()).toContainText('There is no connection');
      await expect(page.getByRole('main')).not.toContainText('Something did not work');
    }
    await expect(page.getByTestId('rules')).not.toContainText('bga');
    await page.goto('/');
    await page.getByTestId('play').click();
    const table = await arrivedHere(page);
    const isPlaying = async () => (await table.turn()) === 'act' && (await table.log.count()) > 0;
    do await turn(page, table);
    while (!(await isPlaying()));
    const before = await table.log.count();
    await page.reload();
    await arrivedHere(page);
    await expect.poll(() => table.log.count()).toBe(before);
    // A match of `bga` has four games of at most ten moves.
    for (let turns = 0; turns < 100 && !(await turn(page, table)); turns += 1);
    await expect(page.getByTestId('result')).toBeVisible();

    await page.goto('/');
    await page.getByTestId('matches').locator('summary').click();
    const row = page.getByTestId('matches').locator(`a[href="/match/${table.id}"]`);
    await expect(row).toContainText('played offline');
    await expect(row).toContainText('over');
    await row.click();
    await page.getByTestId('review-link').click();
    await expect(page.getByTestId('lost-a')).toBeVisible();
    await expect(page.getByTestId('lost-b')).toContainText(/\d/);
  } finally {
    await server.start();
    await context.setOffline(false);
  }
  // The page sends the finished match to the server by itself, and another tab does not send the match again.
  const other = await context.newPage();
  await other.goto('/');
  await expect.poll(() => listed(context)).toBe(1);
  await expect(page.getByTestId('handed-in')).toBeVisible();
  const address = (await page.getByTestId('handed-in').getAttribute('href')) ?? '';
  expect(address).toMatch(/^\/match\/[0-9a-f]{32}\/review\?game=\d$/);
  await page.getByTestId('handed-in').click();
  await expect(page.getByTestId('played-offline')).toBeVisible();
  await expect(page.getByTestId('lost-b')).toContainText(/\d/);
  for (const tab of [page, other]) {
    await tab.goto('/');
    await tab.getByTestId('matches').locator('summary').click();
    const rows = tab.getByTestId('matches').locator('a');
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText('played offline');
    await expect(rows).not.toContainText('not handed in yet');
    await expect(rows).toHaveAttribute('href', address.split('/review')[0] ?? '');
  }
  await other.getByTestId('matches').locator('a').click();
  await expect(other.getByTestId('result')).toBeVisible();
  await expect(other.getByTestId('played-offline')).toBeVisible();
  expect(await listed(context)).toBe(1);
  // The test closes the player's second tab before it deletes the match, because the page of the match in that tab
  // would request the deleted match.
  await other.close();
  // The deletion of the match on the server also deletes the browser's own copy.
  await page.getByTestId('delete').click();
  await page.getByTestId('delete-yes').click();
  await expect(page.getByTestId('matches').locator('a')).toHaveCount(0);
  const copies = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const request = indexedDB.open('overmate', 1);
        request.addEventListener('success', () => {
          const count = request.result.transaction('matches').objectStore('matches').count();
          count.addEventListener('success', () => resolve(count.result));
        });
      })
  );
  expect([copies, await listed(context)]).toEqual([0, 0]);
});

test('a match that the server refuses stays in the browser, which says why and tries again', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/400/);
  const refusal = {
    type: 'about:blank',
    title: 'Refused',
    status: 400,
    code: 'bad-request',
    detail: 'entry 3'
  };
  await page.route('**/api/v1/matches/offline', (route) =>
    route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(refusal) })
  );
  await openForm(page);
  await page.getByTestId('play-here').check();
  await page.getByTestId('start').click();
  const table = await arrivedHere(page);
  await turn(page, table);
  await page.getByTestId('open-more').click();
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await expect(page.getByTestId('hand-in-refused').first()).toContainText('only this browser keeps it');
  await page.goto('/');
  await expect(page.getByTestId('hand-in-refused')).toContainText('did not take a match');
  await expect(page.getByTestId('problem')).toContainText('entry 3');
  await page.getByTestId('matches').locator('summary').click();
  await expect(page.getByTestId('matches').locator('a')).toContainText('not handed in yet');
  expect(await listed(context)).toBe(0);
  await page.unroute('**/api/v1/matches/offline');
  await focusOn(page.getByRole('button', { name: 'Try again' }));
  await page.keyboard.press('Enter');
  await expect.poll(() => listed(context)).toBe(1);
  await expect(page.getByTestId('hand-in-refused')).toHaveCount(0);
  await expect(page.getByTestId('matches').locator('a')).toHaveCount(1);
  await expect(page.getByTestId('matches').locator('a')).not.toContainText('not handed in yet');
});

test('an offline match that a signed-out browser keeps is handed in after the next sign-in', async ({
  page,
  context,
  somebody,
  watch
}) => {
  watch.allow(/status of 40[14]/);
  const handle = await signUp(context, 'Offline');
  const other = await somebody();
  const path = '/api/v1/me/browsers';
  const signedIn = await other.request.post('/api/v1/me/sign-in', { data: { handle, password: PASSWORD } });
  expect(signedIn.ok(), await signedIn.text()).toBe(true);
  const { browsers } = (await (await other.request.get(path)).json()) as {
    browsers: { id: string; current: boolean }[];
  };
  const first = browsers.find(({ current }) => !current);
  expect((await other.request.delete(`${path}/${first?.id}`)).ok()).toBe(true);

  await openForm(page);
  await page.getByTestId('play-here').check();
  await page.getByTestId('start').click();
  const table = await arrivedHere(page);
  await turn(page, table);
  await page.getByTestId('open-more').click();
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await expect(page.getByTestId('hand-in-refused').first()).toContainText('only this browser keeps it');
  await page.goto('/sign-in');
  await page.getByLabel('Handle').fill(handle);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('signed-in')).toBeVisible();
  await expect.poll(() => listed(other)).toBe(1);
  await page.goto('/');
  await expect(page.getByTestId('hand-in-refused')).toHaveCount(0);
});

test('an offline match says that it cannot be stored or computed, and goes on afterwards', async ({
  somebody,
  watch
}) => {
  watch.allow(/ERR_FAILED|Failed to load resource/);
  // The browser has no service worker, so that the test can block the page's request for the file of the engine.
  const context = await somebody();
  await withoutServiceWorker(context);
  const page = await context.newPage();
  await context.route('**/*.wasm', (route) => route.abort());
  const form = await openForm(page);
  await form.locator('input[name="opponent"][value="level"]').check();
  await page.getByTestId('play-here').check();
  await page.getByTestId('start').click();
  await expect(page.getByTestId('problem')).toContainText('could not be loaded');
  await context.unroute('**/*.wasm');
  await page.getByTestId('start').click();
  const table = await arrivedHere(page);
  expect(await table.turn()).toBe('act');

  // The first write of the match fails because the disk is full, and the second because the browser has closed the
  // database.
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => {
      IDBObjectStore.prototype.put = put;
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const problem = page.locator('.problem[role="alert"]');
  await playCard(table);
  await expect(problem).toContainText('could not store the match');
  await expect(table.log).toHaveCount(0);
  await page.evaluate(() => {
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...args) {
      IDBDatabase.prototype.transaction = transaction;
      this.close();
      this.dispatchEvent(new Event('close'));
      return transaction.apply(this, args);
    };
  });
  await playCard(table);
  await expect(problem).toContainText('could not store the match');
  await playCard(table);
  await expect.poll(() => table.log.count()).toBeGreaterThan(0);
  await expect(problem).toHaveCount(0);
});

test('the browser keeps the files of the page, and no answers of the server', async ({ page, context }) => {
  await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, lead: 'me' });
  await page.goto('/');
  await installed(page);
  for (const path of ['/me', '/play', '/rules']) {
    await page.goto(path);
    await expect(page.getByRole('heading').first()).toBeVisible();
  }
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.filter((path) => path.startsWith('/_app/immutable/')).length).toBeGreaterThan(20);
  expect(kept.filter((path) => path.endsWith('.wasm'))).toHaveLength(1);
  expect(kept).toContain('/');
  expect(kept.filter((path) => /^\/(api|match|me|join|watch)/.test(path))).toEqual([]);
  // The service worker passes the request for a download to the server, and does not answer the request with the stored
  // page. The stored page is no JSON.
  const began = page.waitForEvent('download');
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), { href: '/api/v1/me/export', download: '' });
    link.click();
  });
  const file = await (await began).path();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('matches');
});

test('a person plays offline by choice, with hint, undo and resignation by the keyboard', async ({
  page,
  context
}) => {
  const form = await openForm(page);
  await form.locator('input[name="opponent"][value="perfect"]').check();
  await form.locator('input[inputmode="numeric"]').fill('20010');
  await focusOn(page.getByTestId('play-here'));
  await page.keyboard.press('Space');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByTestId('start').click();
  const table = await arrivedHere(page);
  await table.turn();
  await page.keyboard.press('i');
  await expect(page.locator('[data-card] .tab').first()).toBeVisible();
  await turn(page, table);
  await table.turn();
  const played = await table.log.count();
  await page.keyboard.press('u');
  await expect.poll(() => table.log.count()).toBeLessThan(played);
  await page.getByTestId('open-more').click();
  await expect(page.getByText('This match is played offline')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: /record/i }).click();
  expect((await download).suggestedFilename()).toBe(`overmate-${table.id}.mate`);
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await expect(page.getByTestId('result')).toBeVisible();
  await page.getByTestId('rematch').click();
  await page.waitForURL((url) => !url.pathname.endsWith(table.id));
  await arrivedHere(page);
  // The page sends the finished match to the server; the unfinished rematch stays in the browser.
  await expect.poll(() => listed(context)).toBe(1);
});

test('a new version is offered and not forced', async ({ page, server, watch }) => {
  watch.allow(/third party: (http|ws):\/\/127\.0\.0\.1:/);
  const network = new Network(server.url);
  await network.start();
  try {
    await page.goto(`${network.url}/`);
    await installed(page);
    await page.getByTestId('play').click();
    await Table.arrived(page);
    await page.evaluate(() => Object.assign(globalThis, { before: true }));
    const isSame = () => page.evaluate(() => 'before' in globalThis);

    network.addition = ({ url }) => (url === '/service-worker.js' ? '\n// A new version.' : '');
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      while (registration.waiting?.state !== 'installed')
        await new Promise((resolve) => setTimeout(resolve, 50));
    });
    // While the page shows a match, it does not announce that a new version of the page is available. Elsewhere a
    // notice waits for the person.
    await expect(page.getByTestId('update')).toHaveCount(0);
    expect(await isSame()).toBe(true);
    await page.locator('a.home').click();
    await expect(page.getByTestId('update')).toBeVisible();
    expect(await isSame()).toBe(true);
    // The new version of the page replaces the old version, although the server has not answered one of the old page's
    // requests.
    network.hold = ({ url }) => url === '/icon-192.png';
    await page.evaluate(() => void fetch('/icon-192.png'));
    await focusOn(page.getByTestId('update-go'));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('update')).toContainText('One moment');
    await expect.poll(() => isSame().catch(() => true)).toBe(false);
    await expect(page.getByTestId('play')).toBeVisible();
    await expect(page.getByTestId('update')).toHaveCount(0);
    expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull();
  } finally {
    await network.end();
  }
});
