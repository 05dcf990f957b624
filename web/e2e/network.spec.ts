// Tests bad networks: refused WebSockets, WebSockets that never open, lost responses, and a phone after sleep.
import type { BrowserContext, Page } from '@playwright/test';
import { act, newMatch, stateOf } from './support/api';
import { Network, type Sockets } from './support/network';
import { expect, test as base } from './support/test';
import { openForm, Table } from './support/table';

const test = base.extend<{ network: Network }>({
  network: async ({ server, watch }, use) => {
    // The watcher of console errors and third-party requests allows the address of the simulated network, and
    // failed connections.
    watch.allow(/third party: (http|ws):\/\/127\.0\.0\.1:/, /WebSocket|ERR_/);
    const network = new Network(server.url);
    await network.start();
    await use(network);
    await network.end();
  }
});

const BOTH = { rules: 'bga', opponent: { kind: 'both' as const }, deal: '20010', lead: 'me' as const };

/** Opens the game table of a match through the simulated network. */
async function open(page: Page, network: Network, id: string): Promise<Table> {
  await page.goto(`${network.url}/match/${id}`);
  return new Table(page, id);
}

/**
 * Makes the simulated network lose the response to the first POST request of each URL path. Returns a list that grows
 * by the path of each lost response.
 */
function losesFirstAnswers(network: Network): string[] {
  const lost: string[] = [];
  network.lose = ({ method, url = '' }) => {
    if (method !== 'POST' || lost.includes(url)) return false;
    lost.push(url);
    return true;
  };
  return lost;
}

/** Returns the number of matches in which the browser's player has a seat. */
async function begun(context: BrowserContext): Promise<number> {
  const list = (await (await context.request.get('/api/v1/matches')).json()) as { matches: unknown[] };
  return list.matches.length;
}

const networks: Record<string, Sockets> = {
  'that refuses WebSockets': 'refuse',
  'that lets WebSockets hang': 'hang'
};
for (const [name, sockets] of Object.entries(networks)) {
  test(`over a network ${name} a match is played by polling, until WebSockets work`, async ({
    page,
    context,
    network
  }) => {
    network.sockets = sockets;
    const match = await newMatch(context, BOTH);
    const table = await open(page, network, match.id);
    await expect(table.link).toHaveAttribute('data-link', 'polling');
    expect(network.asked).toBeGreaterThan(0);

    // Without a working WebSocket, the page of the match still sends and receives actions.
    await table.play(([action]) => action);
    await expect(table.log).toHaveCount(1);
    const state = await stateOf(context, match.id);
    expect(state.current.steps).toHaveLength(1);
    await act(context, state, state.current.legal[0]?.action ?? '');
    await expect(table.log).toHaveCount(2);

    network.sockets = 'pass';
    await table.ready();
    await table.play(([action]) => action);
    await expect(table.log).toHaveCount(3);
  });
}

test('a phone that slept catches up although its connection died', async ({ somebody, network }) => {
  const phone = await somebody({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const page = await phone.newPage();
  const match = await newMatch(phone, BOTH);
  const table = await open(page, network, match.id);
  await table.ready();
  await table.play(([action]) => action);
  await expect(table.log).toHaveCount(1);

  // During sleep no script runs, the radio is off, and the network drops the connection without a notice.
  const device = await phone.newCDPSession(page);
  await device.send('Debugger.enable');
  const asleep = new Promise((resolve) => device.once('Debugger.paused', resolve));
  const slept = device.send('Runtime.evaluate', { expression: 'debugger' });
  await asleep;
  const asked = network.asked;
  network.silence();
  await phone.setOffline(true);
  let state = await stateOf(phone, match.id);
  while (state.current.steps.length < 5) {
    state = await act(phone, state, state.current.legal[0]?.action ?? '');
  }
  expect(state.current.index).toBe(0);
  await phone.setOffline(false);
  await device.send('Debugger.resume');
  await slept;
  await expect(table.log).toHaveCount(5);

  // After the sleep of the phone, the match continues over a new connection.
  await expect.poll(() => network.asked).toBeGreaterThan(asked);
  await table.ready();
  await table.play(([action]) => action);
  await expect(table.log).toHaveCount(6);
  expect((await stateOf(phone, match.id)).sequence).toBe(state.sequence + 1);
});

test('requests take effect once although the first answer to each is lost', async ({
  page,
  context,
  network
}) => {
  const lost = losesFirstAnswers(network);
  const before = await begun(context);
  const form = await openForm(page, network.url);
  await form.locator('input[name="opponent"][value="both"]').check();
  await page.getByTestId('start').click();
  const table = await Table.arrived(page);
  const mine = await context.request.get('/api/v1/matches');
  expect(((await mine.json()) as { matches: unknown[] }).matches).toHaveLength(1);
  expect(await begun(context)).toBe(before + 1);

  for (let actions = 1; actions <= 3; actions += 1) {
    await table.play(([action]) => action);
    await expect(table.log).toHaveCount(actions);
  }
  await page.getByTestId('undo').click();
  await expect(table.log).toHaveCount(2);
  await expect(page.getByTestId('undo')).toBeVisible();
  await page.getByTestId('undo').click();
  await expect(table.log).toHaveCount(1);

  await page.getByTestId('open-more').click();
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await expect(page.getByTestId('result')).toBeVisible();
  await page.getByTestId('rematch').click();
  // One click on the rematch button opens the new match, although the first response to the request is lost.
  await page.waitForURL((url) => !url.pathname.endsWith(table.id));
  await table.ready();
  const again = await context.request.get('/api/v1/matches');
  expect(((await again.json()) as { matches: unknown[] }).matches).toHaveLength(2);
  // The actions go over the WebSocket. The page posts an action only if the server does not acknowledge it in time.
  expect(lost.map((url) => url.split('/').at(-1)).filter((name) => name !== 'actions')).toEqual([
    'identity',
    'matches',
    'undo',
    'resign',
    'rematch'
  ]);
});

test('a refused request is shown although the table shows another sentence', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/403/);
  const match = await newMatch(context, BOTH);
  const table = await Table.open(page, match.id);
  await page.route('**/resign', (route) => route.fulfill({ status: 403, json: { code: 'match-full' } }));
  await table.turn();
  await page.keyboard.press('p');
  await expect(table.dock).toContainText('You can choose');
  await page.getByTestId('open-more').click();
  await page.getByTestId('resign').click();
  await page.getByTestId('resign-yes').click();
  await expect(page.locator('.problem[role="alert"]')).toContainText('This match has reached its limit');
});

test('an invited player gets the seat although the first answers to a new browser are lost', async ({
  page,
  context,
  somebody,
  network
}) => {
  const match = await newMatch(await somebody(), {
    rules: 'bga',
    opponent: { kind: 'friend' },
    lead: 'other'
  });
  const lost = losesFirstAnswers(network);
  await page.goto(`${network.url}${match.invitation}`);
  await page.getByTestId('join').click();
  await Table.arrived(page);
  expect((await stateOf(context, match.id)).you).toBe('a');
  expect(lost).toHaveLength(2);
});

test('a match that was opened without a server is shown as soon as the server responds', async ({
  page,
  context,
  network
}) => {
  const match = await newMatch(context, BOTH);
  network.lose = ({ url = '' }) => url.startsWith('/api/') && url.includes(match.id);
  await page.goto(`${network.url}/match/${match.id}`);
  const problem = page.getByTestId('problem');
  await expect(problem).toBeVisible();
  // The page repeats the request without hiding the problem.
  const repeated = page.waitForRequest((request) => request.url().includes(match.id));
  await problem.evaluate((note) => note.setAttribute('data-first', ''));
  await repeated;
  await expect(problem).toHaveAttribute('data-first');
  network.lose = () => false;
  await expect(page.getByTestId('board')).toBeVisible();
});

test('an action without an answer is shown as being sent in one place', async ({
  page,
  context,
  network
}) => {
  network.sockets = 'refuse';
  network.hold = ({ method, url = '' }) => method === 'POST' && url.endsWith('/actions');
  const match = await newMatch(context, BOTH);
  const table = await open(page, network, match.id);
  const [lead] = match.current.legal;
  if (lead) await table.begin(lead);
  await expect(page.getByTestId('status')).toHaveText('Sending …');
  await expect(page.getByTestId('sending')).toHaveCount(0);
});
