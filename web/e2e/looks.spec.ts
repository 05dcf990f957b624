// Tests the appearance of the game table: the rank letters of the cards, the result sheets of a won, a lost and a drawn
// match, and the animations. Input does not wait for an animation.
import type { BrowserContext, Page } from '@playwright/test';
import { act, join, newMatch, playInTurn, resign, stateOf, type MatchState } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

const BOTH = { rules: 'bga', opponent: { kind: 'both' as const }, deal: '20010', lead: 'me' as const };

/** Stores page settings before a page is opened. */
async function set(page: Page, settings: object): Promise<void> {
  await page.goto('/privacy');
  const stored = JSON.stringify({ coach: false, ...settings });
  await page.evaluate((stored) => localStorage.setItem('overmate.settings', stored), stored);
}

test('German letters stand on the cards and in sentences, and never in notation', async ({
  page,
  context
}) => {
  await set(page, { speed: 'none', indices: 'german' });
  // The test uses the 48-card deck, which has jacks, and leads a queen, because the German letters of jacks and queens
  // differ from the letters of the notation.
  const match = await newMatch(context, { ...BOTH, rules: 'bga+pinochle', deal: '123456789012' });
  const table = await Table.open(page, match.id);
  await table.turn();
  const letters: Record<string, string> = { A: 'A', T: '10', K: 'K', Q: 'D', J: 'B', '9': '9' };
  for (const [rank, letter] of Object.entries(letters)) {
    const faces = page.locator(`[data-card^="${rank}"] .index`);
    await expect(faces).not.toHaveCount(0);
    expect(new Set(await faces.allInnerTexts()), rank).toEqual(new Set([letter]));
  }
  const queen = match.current.legal.find(({ card }) => card?.startsWith('Q'));
  if (!queen?.card) throw new Error('the deal has no queen to lead');
  await table.card(queen.card).first().click();
  await expect(table.choice(queen.action)).toContainText('D');
  await table.choice(queen.action).click();
  await expect(table.log).toHaveCount(1);
  const moves = await table.moves();
  await expect(moves.locator('.chip').first()).toHaveText('Q');
  await expect(moves.locator('.chip', { hasText: /[DB]/ })).toHaveCount(0);
  const record = await (await context.request.get(`/api/v1/matches/${match.id}/record`)).text();
  expect(record).toContain(queen.card);
  await page.goto('/analysis?rules=bga%2Bpinochle&deal=123456789012');
  await expect(page.locator('[data-card^="J"] .index').first()).toHaveText('B');
  await expect(page.getByTestId('line').getByRole('button').first()).toBeVisible();
  await expect(page.getByTestId('line').getByRole('button', { name: /^[DB]/ })).toHaveCount(0);
  await expect(page.getByTestId('line').locator('.chip', { hasText: /^[DB]/ })).toHaveCount(0);
});

test('the cards of both players differ if the system forces its colours', async ({ page, context }) => {
  const { id } = await newMatch(context, BOTH);
  await page.emulateMedia({ forcedColors: 'active' });
  await Table.open(page, id);
  for (const part of ['.card', '.swatch']) {
    const colours = ['mine', 'theirs'].map((owner) =>
      page
        .locator(`${part}.${owner}`)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    );
    expect(new Set(await Promise.all(colours)).size, part).toBe(2);
  }
});

/**
 * Checks the appearance of a match result: its colours, the points of both players, and a small board of each game.
 */
async function holdsLook(page: Page, id: string, background: string, games: number): Promise<void> {
  await Table.open(page, id);
  const result = page.getByTestId('result');
  await expect(result).toBeVisible();
  await expect(result).toHaveCSS('background-color', background);
  await expect(result.locator('.mini')).toHaveCount(games);
  const { totals, you } = await stateOf(page.context(), id);
  const [mine, theirs] = you === 'b' ? [totals.b, totals.a] : [totals.a, totals.b];
  await expect(result.locator('.points')).toHaveText(`${mine}:${theirs}`);
}

test('a won match has a red sheet, and a lost match the dark sheet of the opponent', async ({ somebody }) => {
  const [winner, loser] = [await somebody(), await somebody()];
  const begun = await newMatch(winner, { ...BOTH, opponent: { kind: 'friend' } });
  await join(loser, begun);
  await playInTurn([winner, loser], begun.id, 6);
  await resign(loser, begun.id);
  const { finished, current } = await stateOf(winner, begun.id);
  const over = [...finished, ...(current.outcome ? [current] : [])];
  const games = new Set(over.map(({ index }) => index)).size;
  expect(games).toBeGreaterThan(0);
  const [won, lost] = [await winner.newPage(), await loser.newPage()];
  for (const page of [won, lost]) await page.emulateMedia({ colorScheme: 'light' });
  await holdsLook(won, begun.id, 'rgb(150, 40, 27)', games);
  await holdsLook(lost, begun.id, 'rgb(46, 40, 34)', games);
  await expect(won.getByTestId('review-link')).toHaveText('Review');
  await expect(lost.getByTestId('review-link')).toHaveText('When was it lost?');
});

/** Plays a drawn match, in which both games of each deal have the same actions. */
async function drawn(context: BrowserContext): Promise<MatchState> {
  let state = await newMatch(context, BOTH);
  while (!state.result) {
    const { index, steps, legal } = state.current;
    const before = index % 2 === 1 ? state.finished.find((game) => game.index === index - 1) : undefined;
    const again = before?.steps[steps.length]?.text.replace(/#+$/, '');
    state = await act(context, state, again ?? legal[0]?.action ?? '');
  }
  return state;
}

test('a drawn match has a sheet of paper', async ({ page, context }) => {
  const { id, result } = await drawn(context);
  expect(result?.winner).toBeNull();
  await page.emulateMedia({ colorScheme: 'light' });
  await holdsLook(page, id, 'rgb(251, 247, 238)', 4);
});

test('after a mate against the player, the link to the review asks when the game was lost', async ({
  page,
  context
}) => {
  let lost = false;
  for (let attempt = 0; attempt < 5 && !lost; attempt += 1) {
    const match = await newMatch(context, {
      rules: 'bga',
      opponent: { kind: 'level', level: 9 },
      lead: 'me'
    });
    const table = await Table.open(page, match.id);
    // A player who always takes the first legal action nearly always loses to level 9.
    while ((await table.turn()) === 'act') await table.play(([first]) => first);
    const { finished, you } = await table.state();
    const outcome = finished[0]?.outcome;
    lost =
      outcome?.kind.includes('mate') === true && (outcome.by === 'first') !== (finished[0]?.first === you);
    await expect(page.getByTestId('review-link')).toHaveText(lost ? 'When was it lost?' : 'Review');
  }
  expect(lost).toBe(true);
});

/** Returns the notations of the cards that are being moved by running animations. */
const cardsInMotion = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ id, playState }) => id === 'move' && playState === 'running')
      .map(({ effect }) => ((effect as KeyframeEffect).target as HTMLElement).dataset.card ?? 'a picture')
  );

/** Returns the durations, in milliseconds, of all animations on the page that take longer than a millisecond. */
const longAnimations = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))
      .filter((duration) => duration > 1)
  );

/** Freezes all animations of a page in their current state. */
async function freeze(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Animation.enable');
  await session.send('Animation.setPlaybackRate', { playbackRate: 0 });
}

test('no input waits for an animation, and cards move from their old places', async ({ page, context }) => {
  await set(page, { speed: 'slow' });
  const match = await newMatch(context, BOTH);
  // The clock of the page is stopped, so that the pause between two shown actions never ends.
  await page.clock.install();
  const table = await Table.open(page, match.id);
  await table.turn();
  await page.clock.pauseAt(Date.now() + 60_000);
  await freeze(page);
  const moved = new Set<string>();
  let actions = 0;
  for (;;) {
    const { current, sequence } = await table.state();
    const [action] = current.legal;
    if (current.index > 0 || !action?.card) break;
    // One click on a card during the animation of the last action shows the present position and lifts the card.
    const held = page.locator(`[data-card="${action.card}"]:not([data-played])`);
    await held.first().click({ force: true });
    await table.choice(action.action).click();
    await expect.poll(async () => (await table.state()).sequence).toBeGreaterThan(sequence);
    await expect(page.getByTestId('status')).not.toContainText('Sending');
    for (const card of await cardsInMotion(page)) moved.add(card);
    actions += 1;
  }
  expect(actions).toBeGreaterThan(5);
  expect(moved.size).toBeGreaterThan(0);
});

for (const by of ['the system', 'the setting'] as const) {
  test(`without motion by ${by}, nothing on the table moves`, async ({ page, context }) => {
    if (by === 'the system') await page.emulateMedia({ reducedMotion: 'reduce' });
    await set(page, { speed: by === 'the setting' ? 'none' : 'fast' });
    const match = await newMatch(context, BOTH);
    const table = await Table.open(page, match.id);
    // The test's script in the page records every animation that the page starts with `Element.animate`.
    await page.evaluate(() => {
      const started: string[] = [];
      Object.assign(window, { started });
      const { animate } = Element.prototype;
      Element.prototype.animate = function (...given) {
        started.push(this.className);
        return animate.apply(this, given);
      };
    });
    while ((await table.turn()) === 'act') {
      const before = await table.log.count();
      const [action] = (await table.state()).current.legal;
      if (!action) throw new Error('the player cannot act');
      await table.begin(action);
      expect(await longAnimations(page)).toEqual([]);
      await expect.poll(() => table.log.count()).toBeGreaterThan(before);
      expect(await longAnimations(page)).toEqual([]);
    }
    await page.getByTestId('next-game').click();
    await expect(page.getByTestId('exchange')).toContainText('The hands are exchanged');
    await expect(table.hand('first')).toHaveCount(10);
    expect(await longAnimations(page)).toEqual([]);
    expect(await page.evaluate(() => (window as unknown as { started: string[] }).started)).toEqual([]);
  });
}

test('leads, answers, captured cards and exchanged hands move, and a change in between goes on from there', async ({
  page,
  context
}) => {
  await set(page, { speed: 'normal' });
  const match = await newMatch(context, BOTH);
  const table = await Table.open(page, match.id);
  await table.turn();
  const [lead] = match.current.legal;
  if (!lead?.card) throw new Error('the deal has no lead');
  await freeze(page);
  await table.card(lead.card).click();
  await table.choice(lead.action).click();
  await expect(table.log).toHaveCount(1);
  const led = page.locator('[data-played="lead"]');
  await expect(led).toBeVisible();
  // The animation of an answer begins at the card's place in the hand.
  const [answer] = (await table.state()).current.legal;
  if (!answer?.card) throw new Error('the deal has no answer');
  await expect.poll(() => table.turn()).toBe('act');
  await table.card(answer.card).click({ force: true });
  const held = await table.card(answer.card).boundingBox();
  await table.choice(answer.action).click();
  // The test measures the motion of the answering card inside the page, because the cards of a move lie on the table
  // for a short time only.
  const moving = await page.waitForFunction(() => {
    const played = (role: string) => document.querySelector(`[data-played="${role}"]`);
    const [lead, answer] = [played('lead'), played('answer')];
    const moves = answer?.getAnimations().filter(({ id }) => id === 'move') ?? [];
    if (!lead || !answer || moves.length === 0) return null;
    const place = (card: Element) => card.getBoundingClientRect().toJSON() as { x: number; y: number };
    return {
      begins: place(answer),
      target: place(lead),
      states: moves.map(({ playState }) => playState),
      durations: moves.map(({ effect }) => effect?.getTiming().duration)
    };
  });
  const { begins, target, states, durations } = (await moving.jsonValue())!;
  const away = (one: typeof held, other: typeof target) =>
    Math.hypot((one?.x ?? 0) - other.x, (one?.y ?? 0) - other.y);
  expect(away(held, begins)).toBeLessThan(away(held, target) / 4);
  // The design sets the motion of a card to 260 milliseconds.
  expect([states, durations]).toEqual([['running'], [260]]);
  // Copies of the led card and of the answering card fly to the list of moves. The copies are inert, so that no input
  // reaches them.
  await expect(page.locator('body > .card[inert]')).toHaveCount(2);
  await expect(page.locator('[data-played="answer"]')).toHaveCount(0);
});
