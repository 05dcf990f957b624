// Opens the pages of the site that need an account or another player, each in the state that shows the most page
// elements.
import type { BrowserContext, Page } from '@playwright/test';
import { join, newMatch, playInTurn, signUp, type MatchState, type NewMatch } from './api';
import { Server } from './server';
import { Table } from './table';
import { expect } from './test';

/**
 * Inputs of a function that opens a page for a test: the browser page with its context, and functions for other
 * browsers and clean-up.
 */
export interface Cast {
  page: Page;
  context: BrowserContext;
  /** Opens the browser of another player. */
  somebody: () => Promise<BrowserContext>;
  /** Registers a clean-up function, which the test runs after its checks, for example to stop an extra server. */
  after: (end: () => Promise<void>) => void;
}

type Clock = NonNullable<NewMatch['clock']>;

const LIVE: Clock = { kind: 'live', base: 3600, increment: 10 };
const DAYS: Clock = { kind: 'days', days: 3 };

/**
 * Sends an HTTP request with the cookies of a browser. Returns the JSON body of the response, or null for an empty
 * body.
 */
async function send(context: BrowserContext, method: string, path: string, data: object = {}) {
  const answer = await context.request.fetch(`/api/v1${path}`, {
    method,
    ...(method === 'GET' ? {} : { data })
  });
  const text = await answer.text();
  expect(answer.ok(), `${method} ${path}: ${text}`).toBe(true);
  return text ? JSON.parse(text) : null;
}

const request = () => ({ client_id: crypto.randomUUID() });

/** Begins a match in one browser, lets a second browser join the match, and plays a given number of actions. */
async function versus(
  context: BrowserContext,
  friend: BrowserContext,
  clock: Clock,
  actions: number,
  more: Partial<NewMatch> = {}
): Promise<MatchState> {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'friend' }, clock, ...more });
  await join(friend, match);
  return playInTurn([context, friend], match.id, actions);
}

/** Creates accounts for the players of two browsers, and a rated match between the two players. */
async function accounts({ context, somebody }: Cast, clock: Clock, actions: number) {
  const friend = await somebody();
  const [own, other] = [await signUp(context, 'Friederike'), await signUp(friend, 'Bartholomew')];
  const match = await versus(context, friend, clock, actions, { rated: true });
  return { friend, own, other, match };
}

const resign = (context: BrowserContext, id: string) =>
  send(context, 'POST', `/matches/${id}/resign`, request());

/**
 * Plays an unrated match between two browsers, and a match of the second browser against a computer opponent. The
 * second browser resigns both matches.
 */
async function unrated(context: BrowserContext, friend: BrowserContext): Promise<void> {
  await resign(friend, (await versus(context, friend, LIVE, 2)).id);
  const level = { rules: 'sackson', opponent: { kind: 'level' as const, level: 3 } };
  const { id } = await newMatch(friend, level);
  // The player of the second browser acts once in their match against a computer opponent. Profiles leave out matches
  // in which a person has not acted.
  await playInTurn([friend], id, 1);
  await resign(friend, id);
}

/**
 * Creates a Swiss tournament event that four players join, among them the player of the browser under test. Returns
 * the id of the event and all players.
 */
async function event({ context, somebody }: Cast) {
  const players = [context, await somebody(), await somebody(), await somebody()];
  for (const [at, player] of players.entries()) await signUp(player, `Teilnehmer-${at}`);
  const kind = { kind: 'swiss', rounds: 1 };
  const made = { kind, rules: 'bga', title: 'Friday', base: 300, increment: 5, starts_in: 60, ...request() };
  const { shown } = await send(context, 'POST', '/events', made);
  const id = shown.event.id as string;
  for (const player of players) await send(player, 'POST', `/events/${id}/join`);
  return { id, players };
}

/**
 * Lets two players, neither of whom uses the browser under test, begin a public match through an open match offer.
 * Returns the id of the match and the players.
 */
async function publicMatch({ somebody }: Cast) {
  const [maker, taker] = [await somebody(), await somebody()];
  await send(maker, 'PUT', '/me/visibility', { presence: 'favourites', watching: 'delayed' });
  const offer = { rules: 'bga', name: 'Annika', lead: 'me', ...request() };
  const { own } = await send(maker, 'POST', '/offers', offer);
  const { id } = await send(taker, 'POST', `/offers/${own.offer.id}/accept`, {
    name: 'Bertram',
    ...request()
  });
  await playInTurn([maker, taker], id, 6);
  return { id: id as string, players: [maker, taker] };
}

/** Creates a bot account with an access token. Returns the handle of the account. */
async function bot(context: BrowserContext): Promise<string> {
  const handle = await signUp(context, 'Automat');
  await send(context, 'PUT', '/me/account/bot');
  await send(context, 'POST', '/me/account/tokens', { name: 'Rechner' });
  return handle;
}

/** Opens the lobby, and makes a match offer with the time control 3 + 2 there. Returns the id of the offer. */
async function offer({ page, context }: Cast): Promise<string> {
  await page.goto('/play');
  await page.getByTestId('lobby-rules').selectOption({ value: 'pagat' });
  await page.getByTestId('quick').nth(1).click();
  await expect(page.getByTestId('own-offers').getByTestId('withdraw')).toBeVisible();
  const { own } = await send(context, 'GET', '/lobby');
  return own[0].offer.id as string;
}

/**
 * Opens the dialog with phrases and chat messages at a table. The players are favourites of each other, and have sent
 * some messages.
 */
async function talk(cast: Cast): Promise<void> {
  const { page, context } = cast;
  const { friend, match } = await accounts(cast, LIVE, 2);
  for (const player of [context, friend]) await send(player, 'PUT', `/matches/${match.id}/favourite`);
  for (const player of [context, friend, context])
    await send(player, 'POST', `/matches/${match.id}/talk`, {
      text: 'Glück, Glück, Glück! '.repeat(5),
      ...request()
    });
  await Table.open(page, match.id);
  await page.getByTestId('open-phrases').click();
  await expect(page.getByTestId('talk-line')).toHaveCount(3);
  await expect(page.getByTestId('talk-text')).toBeVisible();
}

/**
 * Functions that each open a page which needs an account or another player. The key of a function names the page and
 * its state.
 */
export const people: Record<string, (cast: Cast) => Promise<void>> = {
  'events, with the form': async (cast) => {
    await event(cast);
    await cast.page.goto('/events');
    await expect(cast.page.getByTestId('make-event')).toBeVisible();
    await expect(cast.page.getByTestId('coming').getByRole('link').first()).toBeVisible();
  },
  'event that comes': async (cast) => {
    const { id } = await event(cast);
    await cast.page.goto(`/events/${id}`);
    await expect(cast.page.getByTestId('event-start')).toBeEnabled();
    await expect(cast.page.getByTestId('standings').locator('tbody tr')).toHaveCount(4);
  },
  'event that has ended': async (cast) => {
    const { id, players } = await event(cast);
    await send(cast.context, 'POST', `/events/${id}/start`);
    const matches = new Map<string, BrowserContext[]>();
    for (const player of players) {
      let match: string | null = null;
      await expect(async () => {
        match = (await send(player, 'GET', `/events/${id}`)).you.match;
        expect(match).not.toBeNull();
      }).toPass();
      matches.set(match ?? '', [...(matches.get(match ?? '') ?? []), player]);
    }
    expect(matches.size).toBe(2);
    for (const [match, [one, other]] of matches) {
      if (!one || !other) throw new Error('a match has two players');
      await playInTurn([one, other], match, 2);
      await resign(one, match);
    }
    await cast.page.goto(`/events/${id}`);
    await expect(cast.page.getByTestId('crosstable').locator('tbody tr')).toHaveCount(4);
    await expect(cast.page.getByTestId('event-deals').getByRole('link')).toHaveCount(1);
  },
  'matches to watch': async (cast) => {
    await publicMatch(cast);
    await cast.page.goto('/watch');
    await expect(cast.page.getByTestId('public-matches').getByRole('listitem').first()).toBeVisible();
    await expect(cast.page.getByTestId('people')).toBeVisible();
  },
  'finished matches to replay': async (cast) => {
    const { id, players } = await publicMatch(cast);
    if (players[0]) await resign(players[0], id);
    await cast.page.goto('/watch?state=finished');
    await expect(cast.page.getByTestId('watch-review').first()).toBeVisible();
  },
  'public match with a delay': async (cast) => {
    const { id } = await publicMatch(cast);
    await cast.page.goto(`/watch/${id}/public`);
    await expect(cast.page.getByTestId('watching')).toBeVisible();
    await expect(cast.page.getByTestId('log').locator('p')).toHaveCount(2);
  },
  'profile of another player': async (cast) => {
    const { friend, other, match } = await accounts(cast, LIVE, 2);
    await resign(friend, match.id);
    await unrated(cast.context, friend);
    await cast.page.goto(`/players/${other}`);
    await expect(cast.page.getByTestId('ratings')).toBeVisible();
    await expect(cast.page.getByTestId('rated-matches')).toBeVisible();
    await expect(cast.page.getByTestId('casual-matches').locator('tbody tr')).toHaveCount(2);
    await expect(cast.page.getByTestId('favourite')).toBeVisible();
  },
  'own profile': async (cast) => {
    const { friend, own, match } = await accounts(cast, DAYS, 2);
    await resign(friend, match.id);
    await unrated(friend, cast.context);
    await cast.page.goto(`/players/${own}`);
    await expect(cast.page.getByTestId('rated-matches')).toBeVisible();
    await expect(cast.page.getByTestId('casual-matches').getByRole('link')).toHaveCount(3);
  },
  'own page of a bot': async ({ page, context }) => {
    await bot(context);
    await page.goto('/me');
    await expect(page.getByTestId('bot-token')).toHaveCount(1);
  },
  'new token of a bot': async ({ page, context }) => {
    await bot(context);
    await page.goto('/me');
    await page.getByTestId('make-token').click();
    await page.getByTestId('send-token').click();
    await expect(page.getByTestId('token').getByRole('textbox')).not.toHaveValue('');
  },
  'profile of a bot': async ({ page, somebody }) => {
    const handle = await bot(await somebody());
    await page.goto(`/players/${handle}`);
    await expect(page.getByTestId('bot')).toBeVisible();
  },
  'own profile of a bot': async ({ page, context }) => {
    const handle = await bot(context);
    await page.goto(`/players/${handle}`);
    await expect(page.getByTestId('bot')).toBeVisible();
    await expect(page.getByTestId('favourites')).toBeVisible();
  },
  'forgotten password': async ({ page }) => {
    // The server of the test sends no e-mail.
    await page.route('**/api/v1/privacy', (route) => route.fulfill({ json: { mail: true } }));
    await page.goto('/recover');
    await expect(page.getByTestId('ask')).toBeVisible();
  },
  'forgotten password without mail': async ({ page }) => {
    await page.goto('/recover');
    await expect(page.getByTestId('no-mail')).toBeVisible();
  },
  'new password by a link': async ({ page }) => {
    await page.goto(`/recover#${'0'.repeat(64)}`);
    await expect(page.getByTestId('set')).toBeVisible();
  },
  'address to confirm': async ({ page }) => {
    await page.goto(`/confirm-address#${'0'.repeat(64)}`);
    await expect(page.getByTestId('confirm')).toBeVisible();
  },
  'own page with an account': async (cast) => {
    const { page, context } = cast;
    const { friend, match, other } = await accounts(cast, DAYS, 2);
    await resign(friend, match.id);
    await send(context, 'PUT', `/me/favourites/${other}`);
    await send(context, 'PUT', `/me/ignored/mute/${other}`);
    await page.goto('/me');
    await page.getByTestId('feed-make').click();
    await expect(page.getByTestId('turn-feed').getByRole('textbox')).toHaveCount(2);
    await page.getByTestId('bots').locator('summary').click();
    await expect(page.getByTestId('become-bot')).toBeVisible();
    await expect(page.getByTestId('favourites').getByTestId('favourite')).toHaveCount(1);
    await expect(page.getByTestId('ignored').getByTestId('ignored-person')).toHaveCount(1);
    await expect(page.getByTestId('days-off')).toBeVisible();
    await expect(page.getByTestId('push')).toBeVisible();
  },
  'own page with passkeys and e-mail': async ({ page, context, after }) => {
    const server = new Server();
    after(() => server.end());
    // No SMTP server listens at port 9, so that the e-mail address stays unconfirmed.
    const mail = ['--smtp', 'smtp://127.0.0.1:9', '--mail-from', 'mate@mate.example'];
    await server.start([...mail, '--public-url', 'http://localhost:2420']);
    // Browsers permit passkeys without HTTPS at the host name `localhost`.
    const site = server.url.replace('127.0.0.1', 'localhost');
    const password = 'correct horse battery';
    const account = { handle: 'Anna', password };
    const made = await context.request.post(`${site}/api/v1/me/account`, { data: account });
    expect(made.ok(), await made.text()).toBe(true);
    await page.goto(`${site}/me`);
    await expect(page.getByTestId('add-passkey')).toBeVisible();
    await page.getByTestId('set-mail').click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type="email"]').fill('anna@mate.example');
    await dialog.locator('input[type="password"]').fill(password);
    await dialog.getByTestId('send-mail').click();
    await expect(page.getByTestId('mail-pending')).toBeVisible();
    await page.getByTestId('set-mail').click();
    await expect(dialog).toBeVisible();
  },
  'table with clocks': async (cast) => {
    const { match } = await accounts(cast, LIVE, 4);
    await Table.open(cast.page, match.id);
    await expect(cast.page.locator('[data-ticks="true"]')).toHaveCount(1);
  },
  'table with a pause that is asked for': async (cast) => {
    const { friend, match } = await accounts(cast, LIVE, 4);
    await Table.open(cast.page, match.id);
    await send(friend, 'POST', `/matches/${match.id}/pause`, request());
    await expect(cast.page.getByTestId('pause-agree')).toBeVisible();
  },
  'table in a pause': async (cast) => {
    const { friend, match } = await accounts(cast, LIVE, 4);
    for (const player of [friend, cast.context])
      await send(player, 'POST', `/matches/${match.id}/pause`, request());
    await Table.open(cast.page, match.id);
    await expect(cast.page.getByTestId('pause')).toHaveAttribute('data-paused', 'true');
  },
  'conditional answers': async (cast) => {
    const { page, context } = cast;
    const friend = await cast.somebody();
    const match = await versus(context, friend, DAYS, 0, { lead: 'other', deal: '20010' });
    await Table.open(page, match.id);
    const panel = page.getByTestId('conditional');
    await page.getByTestId('open-conditional').click();
    const choose = async () => {
      const draft = (await panel.getByTestId('conditional-draft').textContent()) ?? '';
      await panel.locator('.choices [data-action]').first().click();
      await expect(panel.getByTestId('conditional-draft')).not.toHaveText(draft);
    };
    await choose();
    await choose();
    await panel.getByTestId('conditional-save').click();
    await expect(panel.getByTestId('conditional-line')).toHaveCount(1);
    await choose();
  },
  'note to oneself': async (cast) => {
    const { match } = await accounts(cast, DAYS, 2);
    await Table.open(cast.page, match.id);
    await cast.page.getByTestId('open-more').click();
    await cast.page.getByTestId('note').fill('Glück');
    await cast.page.getByTestId('note-save').click();
    await expect(cast.page.getByTestId('note-said')).not.toBeEmpty();
  },
  talk,
  report: async (cast) => {
    await talk(cast);
    await cast.page.getByTestId('report').click();
    await expect(cast.page.getByTestId('report-form')).toBeVisible();
  },
  'own open offer on another page': async (cast) => {
    const id = await offer(cast);
    // The test withdraws its open offer at the end. Otherwise, an equal quick offer of the next test would accept this
    // offer.
    cast.after(() => send(cast.context, 'DELETE', `/offers/${id}`));
    await cast.page.goto('/rules');
    await expect(cast.page.getByTestId('offer-open')).toContainText('3 + 2');
  },
  'own accepted offer on another page': async (cast) => {
    const id = await offer(cast);
    await cast.page.goto('/rules');
    await expect(cast.page.getByTestId('offer-open')).toContainText('3 + 2');
    const body = { name: 'Bertram', ...request() };
    await send(await cast.somebody(), 'POST', `/offers/${id}/accept`, body);
    await expect(cast.page.getByTestId('to-match')).toBeVisible();
  },
  'own accepted offer in the lobby': async (cast) => {
    const { page, context } = cast;
    const made = { rules: 'rael', clock: DAYS, name: 'Annika', ...request() };
    const { own } = await send(context, 'POST', '/offers', made);
    await page.goto('/play');
    await expect(page.getByTestId('own-offers').getByTestId('withdraw')).toBeVisible();
    const body = { name: 'Bertram', ...request() };
    await send(await cast.somebody(), 'POST', `/offers/${own.offer.id}/accept`, body);
    await expect(page.getByTestId('to-match')).toBeVisible();
  },
  'rated invitation, whose deal is hidden': async ({ page, context }) => {
    await signUp(context, 'Friederike');
    const rated = { rules: 'bga', opponent: { kind: 'friend' as const }, clock: DAYS, rated: true };
    const match = await newMatch(context, rated);
    await Table.open(page, match.id);
    await expect(page.getByTestId('deal-hidden')).toBeVisible();
    await expect(page.getByTestId('board').locator('[data-card]')).toHaveCount(0);
  },
  'lobby with challenges': async (cast) => {
    const { page, context } = cast;
    const { friend, own, other } = await accounts(cast, DAYS, 0);
    const offer = { rules: 'bga', clock: DAYS };
    await send(friend, 'POST', '/offers', { ...offer, to: own, ...request() });
    await send(context, 'POST', '/offers', { ...offer, to: other, ...request() });
    await send(await cast.somebody(), 'POST', '/offers', {
      ...offer,
      rules: 'denexa',
      name: 'Zoe',
      ...request()
    });
    await page.goto('/play');
    await expect(page.getByTestId('accept-challenge')).toBeVisible();
    await expect(page.getByTestId('own-offers').getByTestId('withdraw')).toBeVisible();
    await expect(page.getByTestId('offers').locator('li').first()).toBeVisible();
  }
};
