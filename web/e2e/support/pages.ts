// Opens all pages of the site that need no account, each in the state with the most elements.
import type { BrowserContext, Page } from '@playwright/test';
import { finish, newMatch, playBoth, type MatchState } from './api';
import { DECKS, PAGES, SITUATIONS, type Deck } from './situations';
import { openForm, Table } from './table';
import { expect } from './test';

export const BOTH = { rules: 'sackson', opponent: { kind: 'both' as const }, deal: '20010' };

/** Function that creates a browser context for another player. */
export type Somebody = () => Promise<BrowserContext>;

/** Begins a match in another player's browser. The browser under test can open this match only by a link. */
const foreign = async (somebody: Somebody): Promise<MatchState> =>
  newMatch(await somebody(), { ...BOTH, opponent: { kind: 'friend' }, names: { me: 'Anna' } });

/**
 * Returns a function that opens the page of a match and a dialog on this page. A pattern for the name of the dialog's
 * button selects the dialog.
 */
const dialog = (name: RegExp) => async (page: Page, context: BrowserContext, somebody: Somebody) => {
  await pages.table?.(page, context, somebody);
  await page.locator('header').getByRole('button', { name }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
};

/** Names of the situations in a match that show page elements which no other tested page shows. */
const AT_TABLE = ['lifted', 'mate', 'exchange', 'end', 'hint', 'both foreplaced'];

/**
 * Functions that open the page of a match in selected situations, such as a mate. The key of a function names the
 * situation and the deck. The situations `AT_TABLE` have the single deck, and the situation `lead` has each other deck.
 * With the single deck, the situation `both foreplaced` has cards face down.
 */
const situations = Object.fromEntries(
  [
    ...AT_TABLE.map((name) => [name, 'single'] as const),
    ...(Object.keys(DECKS) as Deck[])
      .filter((deck) => deck !== 'single')
      .map((deck) => ['lead', deck] as const)
  ].map(([name, deck]) => [
    `${name}, ${deck} deck`,
    async (page: Page, context: BrowserContext) => SITUATIONS[name]?.(page, context, deck)
  ])
);

/**
 * Functions that open all pages of the site, each page in the state with the most elements. The pages with equal
 * names in `PAGES` show fewer elements.
 */
export const pages: Record<
  string,
  (page: Page, context: BrowserContext, somebody: Somebody) => Promise<void>
> = {
  ...PAGES,
  ...situations,
  start: async (page) => {
    await openForm(page);
    await page.getByTestId('new-table').locator('summary').click();
    await expect(page.getByTestId('new-table').locator('table')).toBeVisible();
  },
  table: async (page, context) => {
    const match = await newMatch(context, BOTH);
    await playBoth(context, match, ({ current }) => current.steps.length === 5);
    await (await Table.open(page, match.id)).turn();
  },
  end: async (page, context) => {
    const match = await newMatch(context, BOTH);
    await playBoth(context, match, ({ current }) => current.steps.length === 5);
    const table = await Table.open(page, match.id);
    while ((await table.turn()) === 'act') await table.play(([first]) => first);
    await expect(page.getByTestId('end')).toBeVisible();
  },
  review: async (page, context) => {
    const match = await newMatch(context, BOTH);
    await playBoth(context, match, ({ current }) => current.index === 2);
    await page.goto(`/match/${match.id}/review?game=0`);
    await expect(page.getByTestId('review-actions')).toBeVisible();
  },
  analysis: async (page) => {
    await page.goto('/analysis?rules=sackson&deal=20010&line=-,-');
    await expect(page.getByTestId('value')).toBeVisible();
  },
  foreplacing: async (page, context) => {
    const match = await newMatch(context, { ...BOTH, lead: 'me' });
    const table = await Table.open(page, match.id);
    const [card] = await table.marked();
    await table.card(card ?? '').click({ position: { x: 9, y: 9 } });
    await expect(table.choice(`(${card})`)).toBeVisible();
  },
  pinochle: async (page, context) => {
    const match = await newMatch(context, { ...BOTH, rules: 'bga+pinochle' });
    await (await Table.open(page, match.id)).turn();
  },
  help: dialog(/\?|Help|Hilfe/),
  settings: dialog(/Settings|Einstellungen/),
  more: dialog(/More|Mehr/),
  invitation: async (page, context) => {
    const match = await newMatch(context, { ...BOTH, opponent: { kind: 'friend' } });
    await Table.open(page, match.id);
    await expect(page.getByTestId('invite').getByRole('textbox')).toBeVisible();
  },
  join: async (page, _, somebody) => {
    const match = await foreign(somebody);
    await page.goto(match.invitation ?? '');
    await expect(page.getByTestId('join')).toBeVisible();
  },
  watching: async (page, _, somebody) => {
    const match = await foreign(somebody);
    await page.goto(match.watch);
    await expect(page.getByTestId('link')).toHaveAttribute('data-link', 'live');
  },
  'no such match': async (page) => {
    await page.goto('/match/00000000000000000000000000000000');
    await expect(page.getByTestId('problem')).toBeVisible();
  },
  'no such page': async (page) => {
    await page.goto('/nowhere');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'best players': async (page) => {
    await page.goto('/players');
    await expect(page.getByTestId('empty').or(page.getByTestId('leaders'))).toBeVisible();
  },
  'lobby with the form': async (page) => {
    await page.goto('/play');
    await page.getByTestId('lobby-settings').locator('summary').click();
    await expect(page.getByTestId('make-offer')).toBeVisible();
  },
  'puzzle solution': async (page) => {
    await page.goto('/puzzles');
    await page.getByTestId('give-up').click();
    await expect(page.getByTestId('after')).toContainText(/\d{3}/);
  },
  'lesson after a wrong action': async (page) => {
    await page.goto('/learn/mate');
    await page.locator('[data-card="7s"]').click({ position: { x: 9, y: 9 } });
    await page.locator('[data-action="7s"]').click();
    await expect(page.getByTestId('retry')).toBeVisible();
  },
  progress: async (page, context) => {
    const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'level', level: 3 } });
    await finish(context, match.id);
    await page.goto('/me');
    await expect(page.getByTestId('waiting')).toHaveAttribute('data-waiting', '0');
    await page.getByTestId('games').locator('summary').click();
    await expect(page.getByTestId('games').locator('tbody tr')).toHaveCount(4);
  },
  'link to another browser': async (page) => {
    await page.goto('/me');
    await page.getByTestId('make-link').click();
    await expect(page.getByTestId('typed-code')).toBeVisible();
  },
  device: async (page, context) => {
    await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
    await page.goto('/device');
    await expect(page.getByTestId('own')).toBeVisible();
  },
  'new account': async (page) => {
    await page.goto('/me');
    await page.getByTestId('make-account').click();
    await expect(page.getByRole('dialog')).toBeVisible();
  },
  'sign-in': async (page, context) => {
    await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
    await page.goto('/sign-in');
    await expect(page.getByTestId('own')).toBeVisible();
  },
  privacy: async (page) => {
    await page.goto('/privacy');
    await expect(page.getByTestId('privacy')).toBeVisible();
  },
  guide: async (page) => {
    await page.goto('/guide');
    await expect(page.getByTestId('guide-deal').first()).toBeVisible();
    await expect(page.getByTestId('rule-sets')).toBeVisible();
  },
  rules: async (page) => {
    await page.goto('/rules');
    await page.getByTestId('example').first().locator('summary').click();
    await expect(page.getByTestId('example').first().getByTestId('board')).toBeVisible();
  }
};
