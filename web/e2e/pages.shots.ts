// Takes the screenshots that the project's documents show.
import type { BrowserContext, Page } from '@playwright/test';
import { act, best, newMatch, playBoth, stateOf, type MatchState } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

// Deal that ends in a draw when both sides play perfectly, so that the game lasts until the last card.
const DEAL = '100000';

async function shoot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.mouse.move(0, 0);
  await page.screenshot({
    path: new URL(`../../docs/screenshots/${name}.png`, import.meta.url).pathname,
    animations: 'disabled',
    caret: 'hide'
  });
}

/**
 * Begins a match, plays best actions for the person until the game has at least `steps` actions, and opens the page of
 * the match.
 */
async function table(page: Page, steps: number): Promise<Table> {
  const context = page.context();
  let state = await newMatch(context, {
    rules: 'bga',
    opponent: { kind: 'perfect' },
    deal: DEAL,
    lead: 'me'
  });
  const { id } = state;
  for (;;) {
    state = await mine(page, id);
    if (state.current.steps.length >= steps) break;
    await act(context, state, await best(context, state));
  }
  const table = await Table.open(page, id);
  await table.turn();
  return table;
}

/** Waits for the turn of the browser's player, and returns the state of the match. */
async function mine(page: Page, id: string): Promise<MatchState> {
  await expect.poll(async () => (await stateOf(page.context(), id)).current.legal.length).toBeGreaterThan(0);
  return stateOf(page.context(), id);
}

/** Plays both sides of a new match until a mating lead is legal. */
async function mateInSight(context: BrowserContext): Promise<MatchState> {
  let state = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  while (!state.current.legal.some(({ mate }) => mate)) {
    state = await act(context, state, state.current.legal[0]?.action ?? '');
  }
  return state;
}

test('start, table, mate, review, analysis, rules and phone', async ({ page, context, somebody }) => {
  await page.goto('/');
  await expect(page.getByTestId('play')).toBeEnabled();
  await shoot(page, 'start');

  await table(page, 9);
  await shoot(page, 'table-light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await shoot(page, 'table-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  // The screenshot `mate` shows a selected card with which the player can give mate. The card's cross on the board is
  // empty, so that no card can answer.
  const sight = await mateInSight(context);
  const seen = await Table.open(page, sight.id);
  await seen.turn();
  const mating = sight.current.legal.find(({ mate }) => mate)?.card ?? '';
  await seen.card(mating).click();
  await expect(seen.choice(mating)).toBeVisible();
  await shoot(page, 'mate');

  const match = await newMatch(context, { rules: 'sackson', opponent: { kind: 'both' }, deal: '20010' });
  await playBoth(context, match, ({ current }) => current.index === 2);
  await page.evaluate(() => localStorage.clear());
  await page.goto(`/match/${match.id}/review?game=0`);
  await expect(page.getByTestId('review-actions')).toBeVisible();
  await shoot(page, 'review');

  // The analysis shows the values of all actions, the principal variation, and other explored lines.
  await page.goto('/analysis?rules=bga&deal=24997&line=Ac,7c&also=Ac,7c,Kd,Th;Ks,As,Qd');
  await expect(page.getByTestId('tree')).toBeVisible();
  await page.evaluate(() => {
    // The link to the page in a read-only field gets an example host, because the test server's address differs from
    // run to run.
    for (const field of document.querySelectorAll('input[readonly]')) {
      const input = field as HTMLInputElement;
      input.value = input.value.replace(location.origin, 'https://mate.example');
    }
    document.querySelector('[aria-busy]')?.scrollIntoView();
  });
  await shoot(page, 'analysis');

  // The picture of the rules page shows a worked example after some steps.
  await page.goto('/rules');
  const example = page.getByTestId('example').first();
  await example.locator('summary').click();
  for (let step = 0; step < 5; step += 1) {
    await example.getByRole('button', { name: 'One step on' }).click();
  }
  await expect(example.getByTestId('board').locator('[data-played]')).toHaveCount(1);
  await example.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  await shoot(page, 'rules');

  const phone = await somebody({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const held = await phone.newPage();
  await table(held, 9);
  await shoot(held, 'phone');
});
