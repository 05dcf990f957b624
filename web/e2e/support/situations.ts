// Defines window sizes, decks, situations in a match, and further pages of the site, for tests that measure layouts and
// take pictures.
import type { BrowserContext, Page } from '@playwright/test';
import { act, finish, join, newMatch, playBoth, playInTurn, type LegalAction, type MatchState } from './api';
import { expect } from './test';
import { openForm, Table } from './table';

/**
 * Window size, with the minimum widths of cards and cells that the design requires, in CSS pixels. `card` is the width
 * of a card on a board with 5 columns, and `cell` the width of a cell on a board with 6 columns.
 */
export interface Size {
  width: number;
  height: number;
  card: number;
  cell: number;
}

/**
 * Tested window sizes, each with the card sizes that the design requires. A measured card may be smaller by a
 * tenth. The last window is 1280 × 800 at a zoom of 200 percent.
 */
export const SIZES: Size[] = [
  { width: 1920, height: 1080, card: 189, cell: 153 },
  { width: 1366, height: 650, card: 117, cell: 109 },
  { width: 1280, height: 800, card: 124, cell: 99 },
  { width: 1280, height: 600, card: 105, cell: 88 },
  { width: 1024, height: 768, card: 105, cell: 88 },
  { width: 768, height: 1024, card: 131, cell: 105 },
  { width: 844, height: 390, card: 90, cell: 71 },
  { width: 390, height: 844, card: 67, cell: 52 },
  { width: 375, height: 667, card: 64, cell: 49 },
  { width: 320, height: 568, card: 54, cell: 41 },
  { width: 640, height: 400, card: 60, cell: 50 }
];

/**
 * Rule set for each of the four tested decks: single, double, chess pieces, and 48 cards. Only the rule set of
 * `chess` has foreplacing.
 */
export const DECKS = {
  single: 'bga',
  double: 'bga+double',
  chess: 'rael',
  pinochle: 'bga+pinochle'
} as const;
export type Deck = keyof typeof DECKS;

const deal = (deck: Deck): string => (deck === 'pinochle' ? '123456789012' : '20010');

/**
 * Begins a match with both sides in one browser, and plays actions until `enough` holds for the match state. `pick`
 * chooses among the legal actions.
 */
async function reached(
  context: BrowserContext,
  deck: Deck,
  enough: (state: MatchState) => boolean,
  pick: (legal: LegalAction[]) => LegalAction | undefined = ([first]) => first
): Promise<MatchState> {
  let state = await newMatch(context, { rules: DECKS[deck], opponent: { kind: 'both' }, deal: deal(deck) });
  while (!enough(state) && !state.result)
    state = await act(context, state, pick(state.current.legal)?.action ?? '');
  return state;
}

async function open(page: Page, { id }: MatchState): Promise<Table> {
  const table = await Table.open(page, id);
  await expect(page.getByTestId('board')).toBeVisible();
  return table;
}

/** Returns the first legal non-mating lead. If every lead mates, the result is the first legal action. */
const noMate = (legal: LegalAction[]) =>
  legal.find(({ mate, kind }) => !mate && kind !== 'foreplace') ?? legal[0];

/** Function that opens a tested situation or page in the browser. Tests may change the window size afterwards. */
export type Show = (page: Page, context: BrowserContext, deck: Deck) => Promise<void>;

/**
 * Functions that open the tested situations of a match, including its analysis and review, by the name of the
 * situation.
 */
export const SITUATIONS: Record<string, Show> = {
  foreplacing: async (page, context, deck) => {
    const rules = deck === 'chess' ? DECKS.chess : DECKS[deck].replace('bga', 'sackson');
    const table = await open(
      page,
      await newMatch(context, { rules, opponent: { kind: 'both' }, deal: deal(deck) })
    );
    await table.turn();
    const [card] = await table.marked();
    await table
      .card(card ?? '')
      .first()
      .click();
    await expect(table.choice(`(${card})`)).toBeVisible();
  },
  'both foreplaced': async (page, context, deck) => {
    // For the deck `single`, which has each card once, the rule set is `denexa`, in which the cards out of play lie
    // face down.
    const base = {
      single: 'denexa',
      double: 'sackson+double',
      chess: DECKS.chess,
      pinochle: 'sackson+pinochle'
    };
    let state = await newMatch(context, {
      rules: base[deck],
      opponent: { kind: 'both' },
      deal: deal(deck),
      names: { me: 'Anneliese Müller', other: 'Bartholomäus' }
    });
    while (state.current.phase === 'foreplace')
      state = await act(context, state, state.current.legal.find(({ card }) => card)?.action ?? '');
    await open(page, state);
    await expect(page.getByTestId('out-first')).toBeVisible();
    await expect(page.getByTestId('out-second')).toBeVisible();
  },
  lead: async (page, context, deck) => {
    await (await open(page, await reached(context, deck, ({ current }) => current.phase === 'lead'))).turn();
  },
  lifted: async (page, context, deck) => {
    const state = await reached(
      context,
      deck,
      ({ current }) => current.steps.length > 5 && current.phase === 'lead',
      noMate
    );
    const table = await open(page, state);
    await table.turn();
    const [card] = await table.marked();
    await table
      .card(card ?? '')
      .first()
      .click();
    await expect(page.getByTestId('cancel')).toBeVisible();
  },
  answer: async (page, context, deck) => {
    const state = await reached(context, deck, ({ current }) => current.phase === 'follow', noMate);
    await (await open(page, state)).turn();
  },
  mate: async (page, context, deck) => {
    const inSight = ({ current }: MatchState) => current.legal.some(({ mate }) => mate);
    const state = await reached(context, deck, inSight, noMate);
    const table = await open(page, state);
    await table.turn();
    const { legal } = state.current;
    const mate = legal.find(({ mate }) => mate);
    if (mate) await table.act(mate);
    await expect(page.getByTestId('next-game').or(page.getByTestId('result'))).toBeVisible();
  },
  exchange: async (page, context, deck) => {
    const state = await reached(context, deck, ({ current }) => current.index === 1);
    await open(page, state);
    // At the beginning of the second game, a newly opened page of the match still shows the end of the first game.
    await page.getByTestId('next-game').click();
    await expect(page.getByTestId('exchange')).toBeVisible();
  },
  end: async (page, context, deck) => {
    await open(page, await reached(context, deck, () => false));
    await expect(page.getByTestId('result')).toBeVisible();
  },
  waiting: async (page, context, deck) => {
    const match = {
      rules: DECKS[deck],
      opponent: { kind: 'friend' as const },
      deal: deal(deck),
      lead: 'me' as const
    };
    await open(page, await newMatch(context, match));
    await expect(page.getByTestId('invite')).toBeVisible();
  },
  clocks: async (page, context, deck) => {
    await page.goto('/');
    const friend = await context.browser()?.newContext({ baseURL: new URL(page.url()).origin });
    if (!friend) throw new Error('the browser context has no browser, which the friend needs');
    const created = await newMatch(context, {
      rules: DECKS[deck],
      opponent: { kind: 'friend' },
      deal: deal(deck),
      lead: 'me',
      clock: { kind: 'live', base: 10_800, increment: 10 }
    });
    await join(friend, created);
    await playInTurn([context, friend], created.id, 4, noMate);
    await friend.close();
    await open(page, created);
    await expect(page.locator('[data-ticks="true"]')).toHaveCount(1);
    await expect(page.getByRole('timer')).toHaveCount(2);
  },
  away: async (page, context, deck) => {
    await page.goto('/');
    const friend = await context.browser()?.newContext({ baseURL: new URL(page.url()).origin });
    if (!friend) throw new Error('the browser context has no browser, which the friend needs');
    const created = await newMatch(context, {
      rules: DECKS[deck],
      opponent: { kind: 'friend' },
      deal: deal(deck),
      lead: 'me',
      clock: { kind: 'days', days: 7 }
    });
    await join(friend, created);
    await playInTurn([context, friend], created.id, 3, noMate);
    for (const player of [context, friend]) {
      const gone = await player.request.put('/api/v1/me/days-off', { data: { away: true } });
      expect(gone.ok(), await gone.text()).toBe(true);
    }
    await friend.close();
    await open(page, created);
    // Only the clock of the player who is to act is shown as paused by days off.
    await expect(page.locator('[data-away="true"]')).toHaveCount(1);
  },
  hint: async (page, context, deck) => {
    const state = await reached(context, deck, ({ current }) => current.steps.length > 5, noMate);
    await (await open(page, state)).turn();
    await page.getByTestId('hint').click();
    await expect(page.locator('.tab.best').first()).toBeVisible();
  },
  analysis: async (page, _, deck) => {
    await page.goto(`/analysis?rules=${encodeURIComponent(DECKS[deck])}&deal=${deal(deck)}`);
    await expect(page.getByTestId('value')).toBeVisible();
    await expect(page.locator('.tab.best').first()).toBeVisible();
  },
  review: async (page, context, deck) => {
    const match = await newMatch(context, {
      rules: DECKS[deck],
      opponent: { kind: 'both' },
      deal: deal(deck)
    });
    await playBoth(context, match, ({ current }) => current.index === 2);
    await page.goto(`/match/${match.id}/review?game=0`);
    await expect(page.getByTestId('review-actions')).toBeVisible();
  }
};

/**
 * Opens a match with chess pieces in a position where a player can lead a king and demand a king. The opponent holds
 * a king.
 */
async function demanding(
  page: Page,
  context: BrowserContext
): Promise<{ table: Table; demand: LegalAction }> {
  const demandOf = ({ current }: MatchState) =>
    current.legal.find(({ kind, mate, answers }) => kind === 'demand' && !mate && answers?.cards.length);
  const rules = 'rael+kings-privilege+no-foreplacing';
  let state = await newMatch(context, { rules, opponent: { kind: 'both' }, deal: '20010' });
  while (!demandOf(state) && !state.result)
    state = await act(context, state, noMate(state.current.legal)?.action ?? '');
  const demand = demandOf(state);
  if (!demand) throw new Error('nobody can demand a king in the match');
  const table = await open(page, state);
  await table.turn();
  return { table, demand };
}

/** Opens a match with the free move, and lifts a card whose lead can be answered in the ordinary way or by the free move. */
async function freeMoveLifted(
  page: Page,
  context: BrowserContext
): Promise<{ table: Table; lead: LegalAction }> {
  const match = { rules: 'bga+free-move', opponent: { kind: 'both' as const }, deal: '20010' };
  const state = await newMatch(context, match);
  const lead = state.current.legal.find(({ answers }) => answers?.cards.length && answers.free_move.length);
  if (!lead) throw new Error('no lead can be answered by the free move');
  const table = await open(page, state);
  await table.card(lead.card ?? '').click();
  await expect(page.locator('.band.free')).toHaveCount(1);
  return { table, lead };
}

/**
 * Functions that open the tested pages outside of a match, by the name of the page. Further functions open situations
 * that need only the single deck.
 */
export const PAGES: Record<string, (page: Page, context: BrowserContext) => Promise<void>> = {
  start: async (page) => {
    await page.goto('/');
    await expect(page.getByTestId('play')).toBeEnabled();
  },
  'start, with a match': async (page, context) => {
    // The start page lists a match only after an action in the match.
    await reached(context, 'single', ({ current }) => current.steps.length > 2);
    await page.goto('/');
    await expect(page.getByTestId('continue')).toBeVisible();
  },
  coach: async (page, context) => {
    await page.goto('/');
    await page.evaluate(() =>
      localStorage.setItem('overmate.settings', JSON.stringify({ speed: 'none', coach: true }))
    );
    const match = { rules: 'bga', opponent: { kind: 'level' as const, level: 1 }, deal: '20010' };
    await open(page, await newMatch(context, { ...match, lead: 'me' }));
    await expect(page.getByTestId('coach')).toBeVisible();
  },
  'demand, lifted': async (page, context) => {
    const { table, demand } = await demanding(page, context);
    await table
      .card(demand.card ?? '')
      .first()
      .click();
    await expect(table.choice(demand.action)).toBeVisible();
    await expect(table.choice(demand.card ?? '')).toBeVisible();
  },
  'demand, answered': async (page, context) => {
    const { table, demand } = await demanding(page, context);
    await table.act(demand);
    await table.turn();
    await expect(page.locator('.tab', { hasText: /\S/ }).first()).toBeVisible();
  },
  'free move, lifted': async (page, context) => {
    const { lead } = await freeMoveLifted(page, context);
    await expect(page.locator('.card.free')).toHaveCount(lead.answers?.free_move.length ?? 0);
  },
  'free move, to answer': async (page, context) => {
    const { table, lead } = await freeMoveLifted(page, context);
    await table.choice(lead.action).click();
    await expect(page.locator('button.free')).toHaveCount(lead.answers?.free_move.length ?? 0);
  },
  'played here': async (page) => {
    const form = await openForm(page);
    await form.locator('input[name="opponent"][value="level"]').check();
    await page.getByTestId('play-here').check();
    await page.getByTestId('start').click();
    await expect(page.getByTestId('link')).toHaveAttribute('data-link', 'here');
    await expect(page.locator('button[data-card]').first()).toBeVisible();
  },
  'long names': async (page, context) => {
    const names = { me: 'Maximiliane-Friederike von Hohenzollern', other: 'Bartholomäus Friedrichsen' };
    const match = { rules: 'bga', opponent: { kind: 'both' as const }, deal: '20010', names };
    await open(page, await newMatch(context, match));
    // Each row head of the score sheet has only one line of text.
    const heads = page.getByTestId('score').locator('tbody th');
    await expect(heads).toHaveCount(4);
    const mostLines = () =>
      heads.evaluateAll((heads) => {
        const lines = heads.map((head) => {
          const range = document.createRange();
          range.selectNodeContents(head);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        });
        return Math.max(...lines);
      });
    // The fonts of the page may arrive later than its text.
    await expect.poll(mostLines).toBeLessThanOrEqual(1);
  },
  learn: async (page) => {
    await page.goto('/learn');
    await expect(page.getByTestId('lessons')).toBeVisible();
  },
  lesson: async (page) => {
    await page.goto('/learn/foreplace');
    await expect(page.getByTestId('lesson')).toHaveAttribute('data-stage', 'open');
  },
  lobby: async (page, context) => {
    await context.request.post('/api/v1/offers', {
      data: { rules: 'pagat', client_id: crypto.randomUUID() }
    });
    await page.goto('/play');
    await expect(page.getByTestId('own-offers')).toBeVisible();
  },
  puzzles: async (page) => {
    await page.goto('/puzzles');
    await expect(page.getByTestId('puzzle')).toBeVisible();
  },
  daily: async (page) => {
    await page.goto('/daily');
    await expect(page.locator('article').first()).toBeVisible();
  },
  'progress, empty': async (page) => {
    await page.goto('/me');
    await expect(page.getByTestId('empty')).toBeVisible();
  },
  progress: async (page, context) => {
    for (const level of [1, 3]) {
      const match = await newMatch(context, {
        rules: 'bga',
        opponent: { kind: 'level', level },
        deal: '20010'
      });
      await finish(context, match.id);
    }
    await page.goto('/me');
    await expect(page.getByTestId('waiting')).toHaveAttribute('data-waiting', '0');
  },
  rules: async (page) => {
    await page.goto('/rules');
    await expect(page.getByTestId('example').first()).toBeVisible();
  },
  guide: async (page) => {
    await page.goto('/guide');
    await expect(page.getByTestId('guide-deal').first()).toBeVisible();
  }
};

/**
 * Returns whether the page in the tested situation `name` must fit in the window, so that the user need not scroll.
 */
export const AT_TABLE = (name: string): boolean =>
  /^(coach|demand, .*|free move, .*|played here|long names)$/.test(name) ||
  (name in SITUATIONS && name !== 'analysis' && name !== 'review');
