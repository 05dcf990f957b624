// Tests that the keyboard alone operates a game, an analysis and a review.
import type { Locator, Page } from '@playwright/test';
import { newMatch, playBoth } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';
import { Table } from './support/table';

/** Presses Tab until a given control has the keyboard focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let tabs = 0; tabs < 100; tabs += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never moves the focus to ${wanted}`);
}

/** Presses arrow keys until a legal card has the keyboard focus. */
async function toLegal(page: Page, focused: Locator): Promise<void> {
  await page.keyboard.press('Home');
  for (let steps = 0; steps < 24; steps += 1) {
    if ((await focused.getAttribute('aria-disabled')) === 'false') return;
    await page.keyboard.press('ArrowRight');
  }
  throw new Error('the arrow keys never move the focus to a legal card');
}

test('a game is played by keyboard alone, from the start page to its end', async ({ page }) => {
  await page.goto('/');
  await tabTo(page, page.getByTestId('more').locator('> summary'));
  await page.keyboard.press('Enter');
  const form = page.getByTestId('new-table');
  await tabTo(page, form.locator('input[name="opponent"]').first());
  // One player plays both sides, so that the game does not depend on an opponent.
  for (let option = 0; option < 3; option += 1) await page.keyboard.press('ArrowDown');
  await tabTo(page, form.locator('input[name="rules"][value="bga"]'));
  await page.keyboard.press('ArrowDown');
  await expect(form.locator('input[name="rules"][value="sackson"]')).toBeChecked();
  await tabTo(page, page.getByTestId('start'));
  await page.keyboard.press('Enter');
  const table = await Table.arrived(page);

  // The question mark opens the help, and Escape closes it.
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Arrows');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  const spoken = page.getByTestId('spoken');
  const focused = page.locator('[data-spot]:focus');
  let actions = 0;
  for (;;) {
    if ((await table.turn()) !== 'act') break;
    const { current } = await table.state();
    await page.keyboard.press('p');
    await expect(spoken).toContainText('can');
    await expect(focused).toBeVisible();
    await toLegal(page, focused);
    const before = await table.log.count();
    if (actions === 0) {
      // The arrow keys move the focus to the next card and back.
      const card = await focused.getAttribute('data-card');
      await page.keyboard.press('ArrowRight');
      await expect(focused).not.toHaveAttribute('data-card', card ?? '');
      await page.keyboard.press('ArrowLeft');
      await expect(focused).toHaveAttribute('data-card', card ?? '');
      await page.keyboard.press('Enter');
      // The page shows the multiplier that a mate would have after the player has foreplaced the lifted card, and a
      // button that declines to foreplace.
      await expect(page.getByTestId('stake')).toContainText('1 + 1, foreplaced');
      await expect(table.choice('-')).toBeVisible();
      await tabTo(page, table.choice(`(${card})`));
    } else if (current.phase === 'foreplace') {
      await tabTo(page, table.choice('-'));
    }
    await page.keyboard.press('Enter');
    // The first press of Enter lifts a card, and the second press plays the lifted card.
    if (current.phase !== 'foreplace') await page.keyboard.press('Enter');
    await expect.poll(() => table.log.count()).toBeGreaterThan(before);
    actions += 1;
  }
  expect(actions).toBeGreaterThan(4);

  // The key `[` shows an earlier step of the game. Escape shows the present step.
  await page.keyboard.press('[');
  await expect(page.getByTestId('end')).toBeHidden();
  await page.keyboard.press('Escape');

  await page.keyboard.press('m');
  await expect(page.getByRole('dialog').getByTestId('moves')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('board').getByRole('columnheader', { name: /points/ })).toHaveCount(5);
});

test('the end of a match is announced, and the focus moves to the rematch', async ({ page, context }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  await playBoth(context, match, ({ current }) => current.index === 3 && current.steps.length > 0);
  const table = await Table.open(page, match.id);
  const focused = page.locator('[data-spot]:focus');
  let actions = 0;
  while ((await table.turn()) === 'act') {
    const { current } = await table.state();
    const before = await table.log.count();
    await page.keyboard.press('p');
    await toLegal(page, focused);
    await page.keyboard.press('Enter');
    if (current.phase === 'foreplace') await tabTo(page, table.choice('-'));
    await page.keyboard.press('Enter');
    await expect.poll(() => table.log.count()).toBeGreaterThan(before);
    actions += 1;
  }
  expect(actions).toBeGreaterThan(1);
  const title = await page.getByTestId('result').getByRole('heading').first().innerText();
  await expect(page.getByTestId('spoken')).toContainText(title);
  await expect(page.getByTestId('rematch')).toBeFocused();
});

test('after Play the board has the focus, and after the pointer no ring', async ({ page }) => {
  const focused = page.getByTestId('board').locator('[data-spot]:focus');
  for (const way of ['mouse', 'keyboard'] as const) {
    await page.goto('/');
    const play = page.getByTestId('play');
    if (way === 'mouse') await play.click();
    else {
      await tabTo(page, play);
      await page.keyboard.press('Enter');
    }
    const table = await Table.arrived(page);
    await expect(focused).toBeVisible();
    const isRinged = await focused.evaluate((card) => card.matches(':focus-visible'));
    expect(isRinged).toBe(way === 'keyboard');
    expect(await table.marked()).toContain(await focused.getAttribute('data-card'));
  }
  // When the browser opens the page directly at the table, no card gets the keyboard focus.
  await page.reload();
  await Table.arrived(page);
  await expect(focused).toHaveCount(0);
});

for (const way of ['a click on a card', 'Enter'] as const) {
  test(`during a shown reply, ${way} shows the present step`, async ({ page, context }) => {
    await page.clock.install();
    const level = { kind: 'level' as const, level: 1 };
    const match = await newMatch(context, { rules: 'bga', opponent: level, lead: 'me', deal: '20010' });
    await page.goto('/');
    await page.evaluate(() =>
      localStorage.setItem('overmate.settings', JSON.stringify({ speed: 'slow', coach: false }))
    );
    const table = await Table.open(page, match.id);
    await table.turn();
    // The page's clock is paused, so that the opponent's reply does not appear yet.
    await page.clock.pauseAt(Date.now() + 60_000);
    const [action] = match.current.legal;
    if (action) await table.begin(action);
    await expect
      .poll(async () => {
        await page.clock.runFor(10);
        return table.log.count();
      })
      .toBe(1);
    // The opponent answers the player's lead, and may then also have the next lead.
    const cards = async () => {
      const { steps, legal } = (await table.state()).current;
      return steps.length > 1 ? legal.flatMap(({ card }) => card ?? []) : [];
    };
    await expect.poll(async () => (await cards()).length).toBeGreaterThan(0);
    const [card = ''] = await cards();
    await expect(page.locator('button[data-card]')).toHaveCount(0);
    await expect(async () => {
      if (way === 'Enter') await page.keyboard.press('Enter');
      else if ((await page.getByTestId('cancel').count()) === 0)
        await page
          .getByTestId(`card-${card}`)
          .first()
          .click({ position: { x: 9, y: 9 }, timeout: 1000 });
      if (way === 'Enter') await expect(table.card(card).first()).toBeVisible({ timeout: 300 });
      else await expect(page.getByTestId('cancel')).toBeVisible({ timeout: 300 });
    }).toPass();
    expect(await table.log.count()).toBeGreaterThan(1);
  });
}

test('an analysis is explored by keyboard alone', async ({ page }) => {
  await page.goto('/analysis?rules=bga&deal=20010');
  await expect(page.getByTestId('value')).toBeVisible();
  const focused = page.locator('[data-spot]:focus');
  await page.keyboard.press('p');
  await expect(page.getByTestId('dock').getByRole('alert')).toContainText('You can choose:');
  await expect(focused).toBeVisible();
  const card = await focused.getAttribute('data-card');
  await page.keyboard.press('Enter');
  const played = new RegExp(`line=${card}$`);
  await expect(page).toHaveURL(played);
  // The played card disappears, and the focus returns to the board.
  await expect(focused).toBeVisible();
  await page.keyboard.press('[');
  await expect(page).not.toHaveURL(/line=/);
  await page.keyboard.press(']');
  await expect(page).toHaveURL(played);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Arrows');
});

test('a review is stepped through by keyboard alone', async ({ page, context }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  const { finished } = await playBoth(context, match, ({ current }) => current.index === 1);
  const steps = finished[0]?.steps.length ?? NaN;
  await page.goto(`/match/${match.id}/review?game=0`);
  await expect(page.getByTestId('review-actions')).toBeVisible();
  for (let step = 0; step < steps; step += 1) await page.keyboard.press(']');
  await expect(page.getByText(`After action ${steps} of ${steps}`)).toBeVisible();
  const spoken = page.getByRole('main').getByRole('status').filter({ hasText: /\S/ });
  await expect(spoken).toHaveText(/^Player [AB] (leads|answers|uses)/);
  const last = (await spoken.textContent()) ?? '';
  await page.keyboard.press('[');
  await expect(page.getByText(`After action ${steps - 1} of ${steps}`)).toBeVisible();
  await expect(spoken).not.toHaveText(last);
});

test('a button keeps the focus after a refused request and at the end of its steps', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/status of 403/);
  await page.route(/\/api\/v1\/(matches|events|shared-deals\/.*)$/, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return route.fulfill({ status: 403, json: { code: 'matches-full', title: 'Full', status: 403 } });
  });
  for (const [path, button] of [
    ['/', page.getByTestId('play')],
    ['/learn', page.getByTestId('first-match')],
    ['/daily', page.getByRole('main').getByRole('button', { name: 'Play' }).first()]
  ] as const) {
    await page.goto(path);
    await focusOn(button);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'matches-full');
    await expect(button).toBeFocused();
  }

  await page.goto('/analysis?rules=bga&deal=20010');
  await page.getByTestId('actions').getByRole('button').first().click();
  await focusOn(page.getByTestId('back'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('back')).toBeDisabled();
  await expect(page.getByTestId('back')).toBeFocused();

  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  await playBoth(context, match, () => false);
  await page.goto(`/match/${match.id}/review?game=0`);
  const end = page.getByRole('button', { name: 'To the present' });
  await focusOn(end);
  await page.keyboard.press('Enter');
  await expect(end).toBeDisabled();
  await expect(end).toBeFocused();

  await page.goto('/puzzles');
  await page.getByTestId('give-up').click();
  await focusOn(page.getByTestId('next'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('board').locator(':focus')).toHaveCount(1);
});
