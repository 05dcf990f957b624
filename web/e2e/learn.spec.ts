// Tests lessons: play by mouse, keyboard and touch, the retry of a wrong action, the stored progress, and the match
// after the last lesson.
import type { Page } from '@playwright/test';
import type { components } from '../src/lib/api/schema';
import { focusOn } from './support/focus';
import { LOCALES, sampled } from './support/sample';
import { Table } from './support/table';
import { expect, test } from './support/test';

type Lesson = components['schemas']['Lesson'];
type LessonPart = components['schemas']['LessonPart'];

const lessonAt = async (page: Page, id: string): Promise<Lesson> =>
  (await page.request.get(`/api/v1/lessons/${id}`)).json();

/** Plays an action on the board of a lesson. With `keyboard`, a key selects the card, and otherwise the pointer. */
async function act(page: Page, action: string, keyboard = false) {
  const card = /[A-Z2-9][a-z]/.exec(action)?.[0] ?? '';
  const target = page.locator(`[data-card="${card}"][aria-disabled="false"]`).first();
  if (keyboard) {
    await focusOn(target);
    await page.keyboard.press('Enter');
  } else await target.click({ position: { x: 9, y: 9 } });
  await page.locator(`[data-action="${action}"]`).click();
}

/**
 * Plays a part of a lesson to its end, and chooses the first correct action at each decision. Returns the number of
 * decisions.
 */
async function play(page: Page, part: LessonPart, keyboard = false): Promise<number> {
  let decisions = 0;
  let state = part.states[0];
  for (;;) {
    const [choice] = state?.choices.filter(({ right }) => right) ?? [];
    if (!choice) return decisions;
    if (state?.decides) {
      await act(page, choice.action, keyboard);
      decisions += 1;
    }
    state = part.states[choice.next];
  }
}

const board = (page: Page) => page.getByTestId('lesson');
/** Returns the live region of a lesson: the page element whose text screen readers announce. */
const spoken = (page: Page) => board(page).getByRole('status');

test('a newcomer learns the first rules, and the progress is kept', async ({ page }) => {
  await page.goto('/');
  await page.getByTestId('learn').click();
  await expect(page.getByTestId('progress')).toContainText('0 of 19');
  await page.getByTestId('begin').click();
  for (const [id, keyboard] of [
    ['suit', false],
    ['rank', true],
    ['mate', false]
  ] as const) {
    await expect(page).toHaveURL(new RegExp(`/learn/${id}$`));
    await expect(board(page)).toHaveAttribute('data-stage', 'open');
    const lesson = await lessonAt(page, id);
    for (const part of lesson.parts) expect(await play(page, part, keyboard)).toBeGreaterThan(0);
    await expect(board(page)).toHaveAttribute('data-stage', 'right');
    await page.getByTestId('next').click();
  }
  await page.goto('/learn');
  await expect(page.getByTestId('progress')).toContainText('3 of 19');
  await expect(page.getByTestId('begin')).toContainText('The score');
});

test('a card that does not follow suit says why', async ({ page }) => {
  await page.goto('/learn/suit');
  await page.locator('[data-card="Kc"]').click({ position: { x: 9, y: 9 }, force: true });
  await expect(page.getByTestId('status')).toContainText('must follow');
  await expect(board(page)).toHaveAttribute('data-stage', 'open');
});

test('a wrong lead is refuted, explained with its value, and tried again', async ({ page }) => {
  await page.goto('/learn/count');
  await act(page, '7d');
  await expect(board(page)).toHaveAttribute('data-stage', 'wrong');
  await expect(page.getByTestId('dock')).toContainText('the only card that can answer');
  await expect(page.getByTestId('dock')).toContainText('−36 for you. The best choice: +90');
  await page.getByTestId('retry').click();
  await expect(board(page)).toHaveAttribute('data-stage', 'open');
  const { parts } = await lessonAt(page, 'count');
  for (const part of parts) expect(await play(page, part)).toBe(2);
  await expect(board(page)).toHaveAttribute('data-stage', 'right');
  await expect(page.getByTestId('sum')).toHaveText('10 × 9 = 90');
});

test('after the first decision of a lesson, its texts name no card that is gone', async ({ page }) => {
  await page.goto('/learn/count');
  await act(page, 'Ac');
  await expect(page.getByTestId('status')).toHaveText('Go on: which card is best now?');
  await act(page, '7d');
  await expect(board(page)).toHaveAttribute('data-stage', 'wrong');
  await expect(page.getByTestId('status')).toHaveText(
    'Another card gives you more points, or gives up fewer.'
  );
});

test('by keyboard, the focus returns to the board when the pressed button disappears', async ({ page }) => {
  await page.goto('/learn/suit');
  for (const button of ['show', 'again']) {
    await focusOn(page.getByTestId(button));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('board').locator(':focus')).toHaveCount(1);
  }
  await focusOn(page.locator('[data-card="Qh"][aria-disabled="false"]'));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await focusOn(page.getByTestId('retry'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('board').locator(':focus')).toHaveCount(1);
});

test('a deal is played from both sides', async ({ page }) => {
  await page.goto('/learn/exchange');
  const { parts } = await lessonAt(page, 'exchange');
  expect(parts).toHaveLength(2);
  for (const [at, part] of parts.entries()) {
    await expect(board(page)).toHaveAttribute('data-part', String(at));
    expect(await play(page, part)).toBe(at === 0 ? 1 : 3);
    await expect(board(page)).toHaveAttribute('data-stage', 'right');
    if (at === 0) await page.getByTestId('next').click();
  }
  await expect(page.getByTestId('sum')).toHaveText('11 × 10 = 110');
});

test('every lesson can be played on a phone by its right actions, and the last leads to a match', async ({
  somebody
}) => {
  const context = await somebody({ viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true });
  const page = await context.newPage();
  await page.goto('/learn');
  const lessons = page.getByTestId('lessons').getByRole('link');
  await expect(lessons).toHaveCount(19);
  const links = await lessons.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  for (const link of links) {
    await page.goto(link);
    await expect(board(page)).toHaveAttribute('data-stage', 'open');
    const { parts } = await lessonAt(page, link.replace('/learn/', ''));
    // Before the player's first action, the page shows only the short goal of a lesson. Screen readers read the task.
    await expect(page.getByTestId('status'), link).toHaveText(/^(\S+ ?){2,5}$/);
    await expect(page.getByTestId('wait'), link).toHaveCount(0);
    await expect(spoken(page), link).toHaveText(/\S{3}.*[.?]\s*$/);
    for (const [at, part] of parts.entries()) {
      await play(page, part);
      await expect(board(page), link).toHaveAttribute('data-stage', 'right');
      await expect(page.getByTestId('status'), link).not.toHaveText('');
      if (at < parts.length - 1) await page.getByTestId('next').click();
    }
  }
  await page.getByTestId('first-match').click();
  await Table.arrived(page);
  await page.goto('/learn');
  await expect(page.getByTestId('progress')).toContainText('19 of 19');
  await expect(page.getByTestId('intro')).toContainText('You have finished the course.');
});

test('any of three cards may lie face down', async ({ page }) => {
  await page.goto('/learn/hidden');
  await expect(board(page)).toHaveAttribute('data-stage', 'open');
  await expect(page.getByTestId('side-second')).toContainText('face down');
  await expect(page.getByTestId('board').getByLabel(/may lie face down/)).toHaveCount(3);
  await page.getByTestId('show').click();
  await expect(board(page)).toHaveAttribute('data-stage', 'right');
});

for (const [width, height] of [
  [1280, 800],
  [1280, 600],
  [390, 844],
  [375, 667],
  [320, 568]
] as const) {
  test(`the board, the task and the buttons of a lesson fit ${width} × ${height}`, async ({ somebody }) => {
    for (const locale of sampled(LOCALES, `lessons at ${width} × ${height}`)) {
      const context = await somebody({ locale, viewport: { width, height } });
      const page = await context.newPage();
      for (const id of ['suit', 'foreplace', 'pinochle']) {
        await page.goto(`/learn/${id}`);
        await expect(board(page)).toHaveAttribute('data-stage', 'open');
        await page.evaluate(() => document.fonts.ready);
        await expect(page.getByTestId('board')).toBeInViewport({ ratio: 1 });
        await expect(page.getByTestId('status')).toBeInViewport({ ratio: 1 });
        await expect(page.getByTestId('show')).toBeInViewport({ ratio: 1 });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide).toBeLessThanOrEqual(width);
        // When the player tries again after a wrong action, the page shows the task of the lesson.
        const { parts } = await lessonAt(page, id);
        const wrong = parts[0]?.states[0]?.choices.find(({ right, action }) => !right && action !== '-');
        if (!wrong) throw new Error(`the lesson ${id} begins without a wrong action`);
        await act(page, wrong.action);
        await page.getByTestId('retry').click();
        await expect(page.getByTestId('status')).not.toHaveText('');
        for (const part of ['board', 'status', 'show'])
          await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 });
      }
    }
  });
}
