// Tests puzzles: success, failure and retry, links to a puzzle and to a replaced puzzle, and the two series of puzzles
// (streak and timed storm).
import type { Page } from '@playwright/test';
import type { components } from '../src/lib/api/schema';
import { PASSWORD, signUp } from './support/api';
import { focusOn } from './support/focus';
import { expect, installed, test, withoutEngine, withoutServiceWorker } from './support/test';

type Puzzle = components['schemas']['Puzzle'];

/** Waits until the page receives its next puzzle, and returns the puzzle. */
const received = async (page: Page): Promise<Puzzle> =>
  (await page.waitForResponse((response) => /puzzles\/(next|[0-9a-f]{12}$)/.test(response.url()))).json();

/** Opens the page of puzzles, and returns the first training puzzle. */
async function open(page: Page): Promise<Puzzle> {
  const coming = received(page);
  await page.goto('/puzzles');
  return coming;
}

/**
 * Starts a streak or a storm, and returns the first puzzle of the series. With `keyboard`, a key presses the start
 * button, and otherwise the pointer.
 */
async function start(page: Page, series: 'Streak' | 'Storm', keyboard = false): Promise<Puzzle> {
  // The test first waits for the training puzzle with which the page opens. Otherwise the test would take this puzzle
  // for the first puzzle of the series.
  await open(page);
  await page.getByRole('radio', { name: series }).check();
  const coming = received(page);
  const button = page.getByTestId('start');
  await (keyboard ? button.press('Enter') : button.click());
  return coming;
}

/** Returns a wrong action at the first decision of a puzzle. The action ends the attempt at the puzzle. */
const mistakeIn = ({ states }: Puzzle): string =>
  states[0]?.choices.find(({ next }) => next === null)?.action ?? '';

/** Plays an action on the board of a puzzle. With `keyboard`, a key selects the card, and otherwise the pointer. */
async function act(page: Page, action: string, keyboard = false) {
  const card = /[A-Z2-9][a-z]/.exec(action)?.[0];
  const choice = page.locator(`[data-action="${action}"]`);
  if (card) {
    const target = page.locator(`[data-card="${card}"]`).first();
    if (keyboard) {
      await focusOn(target);
      await page.keyboard.press('Enter');
    } else await target.click({ position: { x: 9, y: 9 } });
  }
  await choice.click();
}

/** Asserts that a small phone shows a button inside the window, and the whole status sentence above the button. */
async function expectOnSmallPhone(page: Page, button: string) {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByTestId(button)).toBeInViewport({ ratio: 1 });
  const [sentence, below] = [page.getByTestId('status'), page.getByTestId(button)];
  await expect(sentence).toBeInViewport({ ratio: 1 });
  const [above, edge] = [await sentence.boundingBox(), await below.boundingBox()];
  expect((above?.y ?? Infinity) + (above?.height ?? 0)).toBeLessThanOrEqual(edge?.y ?? 0);
}

/** Solves a puzzle on the board, and chooses the first right action at each decision. */
async function solve(page: Page, puzzle: Puzzle, keyboard = false) {
  let state = puzzle.states[0];
  for (;;) {
    const right = state?.choices.find(({ next }) => next !== null);
    if (!right) return;
    await act(page, right.action, keyboard);
    state = puzzle.states[right.next ?? 0];
  }
}

/** Returns a wrong, non-mating action at a puzzle's first decision. */
function refutable({ states }: Puzzle): string | undefined {
  const [state] = states;
  const mating = new Set(state?.game.legal.flatMap(({ action, mate }) => (mate ? [action] : [])));
  return state?.choices.find(({ action, next }) => next === null && !mating.has(action))?.action;
}

test('a solved puzzle changes the rating, and the next one follows', async ({ page }) => {
  const puzzle = await open(page);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  await expect(page.getByTestId('rating')).toContainText('1200');
  await solve(page, puzzle, true);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'solved');
  await expect(page.getByTestId('after')).toContainText(/Your rating: \d+ \(\+\d+\)/);
  await expect(page.getByTestId('status')).toContainText('Solved.');
  const next = received(page);
  await page.keyboard.press('n');
  expect((await next).id).not.toBe(puzzle.id);
  await expect(page.getByTestId('rating')).toContainText('1 of 1 solved');
});

test('a wrong action is explained, and a second attempt does not count', async ({ page }) => {
  const puzzle = await open(page);
  const unmating = refutable(puzzle);
  await act(page, unmating ?? mistakeIn(puzzle));
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'wrong');
  await expect(page.getByTestId('status')).toContainText('Not the best');
  await expect(page.getByTestId('dock')).toContainText(/The action costs you \d+ points/);
  // If the wrong action in the puzzle gives mate, the game is over, so that the page shows no best play after the
  // action.
  await expect(page.getByTestId('dock')).toContainText(unmating ? /Best play goes on with/ : /Best:/);
  await expect(page.getByTestId('after')).toContainText(/Your rating: \d+ \(−\d+\)/);
  await expectOnSmallPhone(page, 'next');
  await page.getByTestId('retry').click();
  await solve(page, puzzle);
  await expect(page.getByTestId('after')).toContainText('only your first attempt');
});

test.describe('with the service worker', () => {
  test.use({ installs: true });

  test('without a network, the engine explains a wrong action as the server does', async ({
    page,
    context,
    somebody,
    watch
  }) => {
    watch.allow(/ERR_/);
    const puzzles = new Map<string, Puzzle>();
    for (let rating = 600; rating < 1600 && puzzles.size < 4; rating += 100) {
      const path = `/api/v1/puzzles/next?rules=sackson&rating=${rating}`;
      const puzzle: Puzzle = await (await page.request.get(path)).json();
      if (refutable(puzzle)) puzzles.set(puzzle.id, puzzle);
    }
    expect(puzzles.size).toBe(4);
    const server = await somebody();
    await withoutServiceWorker(server);
    await withoutEngine(server);
    const served = await server.newPage();
    await page.goto('/');
    await installed(page);
    const answered: string[] = [];
    page.on('requestfinished', (request) => answered.push(new URL(request.url()).pathname));
    for (const puzzle of puzzles.values()) {
      const wrong = refutable(puzzle) ?? '';
      const explained: string[] = [];
      for (const shown of [served, page]) {
        await shown.goto(`/puzzles/${puzzle.id}`);
        await expect(shown.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
        if (shown === page) await context.setOffline(true);
        answered.length = 0;
        const analysed = shown === served ? shown.waitForResponse('**/api/v1/analysis') : null;
        await act(shown, wrong);
        await expect(shown.getByTestId('dock')).toContainText('Best play goes on with');
        const text = await shown.getByTestId('dock').innerText();
        explained.push(/Best play goes on with.*? points/s.exec(text)?.[0] ?? text);
        expect((await analysed)?.ok()).toBe(analysed ? true : undefined);
        if (shown === page) expect(answered.filter((path) => path.startsWith('/api/'))).toEqual([]);
      }
      await context.setOffline(false);
      expect(explained[0], puzzle.id).toMatch(
        /^Best play goes on with .*\. The action costs you \d+ points$/s
      );
      expect(explained[1], puzzle.id).toBe(explained[0]);
    }
  });
});

test('a shared link shows the position alone until the attempt', async ({ page, browser }) => {
  const puzzle = await open(page);
  await page.getByTestId('give-up').click();
  const link = page.getByTestId('after').getByRole('textbox');
  await expect(link).toHaveValue(new RegExp(`/puzzles/${puzzle.id}$`));
  const friend = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await friend.goto(new URL(await link.inputValue()).href);
  await expect(friend.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  await expect(friend.getByTestId('after')).toHaveCount(0);
  const width = await friend.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
  await friend.getByTestId('give-up').click();
  await expectOnSmallPhone(friend, 'more');
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(page.getByTestId('value')).toBeVisible();
});

test('a link to a puzzle that a new collection has replaced says so, and leads to the puzzles', async ({
  page,
  watch
}) => {
  watch.allow(/404/);
  await page.goto('/puzzles/0123456789ab');
  await expect(page.getByTestId('gone')).toContainText('a new collection has replaced the puzzle');
  await expect(page.getByTestId('problem')).toHaveCount(0);
  const coming = received(page);
  await page.getByTestId('more').click();
  await coming;
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
});

test('a change of the rules drops a theme that the rules lack', async ({ page }) => {
  await open(page);
  await page.getByRole('radio', { name: 'Streak' }).check();
  const theme = page.getByTestId('theme');
  await page.getByTestId('rules').selectOption('sackson');
  await theme.selectOption('overmate');
  await page.getByTestId('rules').selectOption('bga');
  await expect(theme.locator('option:checked')).toHaveText('Any theme');
});

test('a puzzle that was not received is requested again', async ({ page, watch }) => {
  watch.allow(/ERR_FAILED/);
  const { id } = await open(page);
  await page.route(`**/api/v1/puzzles/${id}`, (route) => route.abort());
  await page.goto(`/puzzles/${id}`);
  await focusOn(page.getByRole('button', { name: 'Try again' }));
  await page.unroute(`**/api/v1/puzzles/${id}`);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
});

test('the first mistake ends a streak', async ({ page }) => {
  const first = await start(page, 'Streak');
  await solve(page, first);
  await expect(page.getByTestId('score')).toContainText('Solved: 1');
  const following = received(page);
  await page.getByTestId('next').click();
  const second = await following;
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  const answered = page.waitForResponse(`**/api/v1/puzzles/${second.id}/attempts`);
  await act(page, mistakeIn(second));
  await expect(page.getByTestId('over')).toContainText('1 solved');
  await answered;
  await expect(page.getByTestId('tried').getByRole('listitem')).toHaveText([/:\s+solved/, /not solved/]);
  expect(second.rating).toBeGreaterThan(first.rating);
  await page.reload();
  await page.getByRole('radio', { name: 'Streak' }).check();
  await expect(page.getByTestId('score')).toContainText('Your best: 1');
  // The server stores the best streak of a player, so that cleared browser storage does not remove the record.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/me');
  await expect(page.getByTestId('others')).toContainText('Best streak: 1. Best storm: 0.');
});

test('an attempt counts although the player leaves the page at once', async ({ page, context }) => {
  const puzzle = await open(page);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await act(page, mistakeIn(puzzle));
  // After a mistake, the page sends the puzzle attempt before all other requests, so that the server counts the
  // attempt even if the page is closed.
  expect(new URL((await sent).url()).pathname).toBe(`/api/v1/puzzles/${puzzle.id}/attempts`);
  await page.goto('about:blank');
  await expect
    .poll(async () => (await (await context.request.get('/api/v1/puzzles')).json()).attempts)
    .toBe(1);
});

test('the solution names all actions that are equally right', async ({ page }) => {
  const wanted = 'rules=bga&theme=turn-loss&rating=';
  let puzzle: Puzzle | undefined;
  for (let rating = 500; rating < 1500 && !puzzle; rating += 20) {
    const found: Puzzle = await (await page.request.get(`/api/v1/puzzles/next?${wanted}${rating}`)).json();
    const right = found.states[0]?.choices.filter(({ next }) => next !== null) ?? [];
    if (right.length > 1) puzzle = found;
  }
  const right = puzzle?.states[0]?.choices.filter(({ next }) => next !== null) ?? [];
  expect(right.length).toBeGreaterThan(1);
  await page.goto(`/puzzles/${puzzle?.id}#solution`);
  const first = page.getByTestId('solution').locator('.step').first();
  await expect(first.getByRole('img')).toHaveCount(right.length);
  await expect(first).toContainText('or');
  await expect(page.getByTestId('after')).toContainText('each is accepted');
  // If several actions are right at a decision of a puzzle, the page accepts each of them.
  const last = right.at(-1);
  await page.goto(`/puzzles/${puzzle?.id}`);
  await act(page, last?.action ?? '');
  const ends = puzzle?.states[last?.next ?? 0]?.choices.length === 0;
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', ends ? 'solved' : 'open');
  await expect(page.getByTestId('status')).toContainText(ends ? 'Solved.' : 'Right.');
});

test('an explanation names a foreplaced card in the words of a sentence', async ({ page }) => {
  const wanted = 'rules=sackson&theme=foreplace&rating=1200';
  const puzzle: Puzzle = await (await page.request.get(`/api/v1/puzzles/next?${wanted}`)).json();
  await page.goto(`/puzzles/${puzzle.id}`);
  await act(page, mistakeIn(puzzle));
  await expect(page.getByTestId('status')).toContainText(/^Not the best: foreplacing .* (wins|loses|leads)/s);
  await expect(page.getByTestId('dock')).not.toContainText('foreplaced');
});

test('a lost answer of the server changes no score, and the attempt can be sent again', async ({
  page,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  const first = await start(page, 'Streak');
  await page.route('**/attempts', (route) => route.abort());
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/attempts'));
  await act(page, mistakeIn(first));
  await expect(page.getByTestId('over')).toContainText('0 solved');
  await lost;
  await expect(page.getByTestId('next')).toHaveCount(0);
  await page.unroute('**/attempts');
  await page.getByTestId('problem').getByRole('button').click();
  await expect(page.getByTestId('problem')).toHaveCount(0);
  await expect(page.getByTestId('rating')).toContainText('0 of 1');
  await expect(page.getByTestId('tried').getByRole('listitem')).toHaveCount(1);
  // The link in the list of tried puzzles shows the solution, which does not count as a second attempt.
  await page.getByTestId('tried').getByRole('link').click();
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'shown');
  await expect(page.getByTestId('solution')).toBeVisible();
});

test('a failed report of a first attempt is sent before a later attempt counts', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/ERR_/);
  const puzzle = await open(page);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  await context.setOffline(true);
  await act(page, mistakeIn(puzzle));
  await expect(page.getByTestId('after').getByTestId('problem')).toBeVisible();
  // A player without a network can play the puzzle again. Only one button repeats the report.
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Play it again' }).click();
  await context.setOffline(false);
  await solve(page, puzzle);
  await expect(page.getByTestId('after')).toContainText(/Your rating: \d+ \(−\d+\)/);
  await expect(page.getByTestId('rating')).toContainText('0 of 1 solved');
});

test('a failed report of an attempt is sent before the page asks for the next puzzle', async ({
  page,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  const puzzle = await open(page);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  await page.route('**/attempts', (route) => route.abort());
  await act(page, mistakeIn(puzzle));
  await expect(page.getByTestId('after').getByTestId('problem')).toBeVisible();
  await page.unroute('**/attempts');
  const next = received(page);
  await page.getByTestId('next').click();
  expect((await next).id).not.toBe(puzzle.id);
  await expect(page.getByTestId('rating')).toContainText('0 of 1 solved');
});

test('a failed report of an attempt counts for the account after a sign-in', async ({
  page,
  somebody,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  const handle = await signUp(await somebody(), 'reporter');
  const puzzle = await open(page);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  await page.route('**/attempts', (route) => route.abort());
  await act(page, mistakeIn(puzzle));
  await expect(page.getByTestId('after').getByTestId('problem')).toBeVisible();
  await page.goto('/sign-in');
  await page.getByLabel('Handle').fill(handle);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByTestId('sign-in').click();
  await expect(page.getByTestId('sign-in')).toHaveCount(0);
  await page.unroute('**/attempts');
  await open(page);
  await expect(page.getByTestId('rating')).toContainText('0 of 1 solved');
});

test('the failed reports of a storm outlast a reload, and each is sent once afterwards', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  const first = await start(page, 'Storm');
  // The server does not know the attempt at the first puzzle, and could choose this puzzle again.
  await page.route('**/puzzles/next?*', (route) =>
    route.continue({ url: `${route.request().url()}&above=${first.rating}` })
  );
  // The first report fails at once. The second report has no response before the reload.
  await page.route('**/attempts', (route) =>
    route.request().url().includes(first.id) ? route.abort() : undefined
  );
  const following = received(page);
  await solve(page, first);
  const second = await following;
  const hangs = page.waitForRequest(`**/api/v1/puzzles/${second.id}/attempts`);
  await act(page, mistakeIn(second));
  await hangs;
  await page.reload();
  await expect(page.getByTestId('over')).toHaveText('The end: 1 solved.');

  await page.unroute('**/attempts');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/attempts')) sent.push(new URL(request.url()).pathname);
  });
  for (let repeated = 0; repeated < 2; repeated += 1) {
    const coming = received(page);
    await page.getByTestId('start').click();
    await coming;
    expect(sent).toEqual([first, second].map(({ id }) => `/api/v1/puzzles/${id}/attempts`));
    await page.reload();
  }
  const { attempts } = await (await context.request.get('/api/v1/puzzles')).json();
  expect(attempts).toBe(2);
});

test('a run ends when the player leaves the page, and its result is shown at the return', async ({
  page
}) => {
  await start(page, 'Storm');
  await page.reload();
  const [over, score] = [page.getByTestId('over'), page.getByTestId('score')];
  await expect(over).toHaveText('The end: 0 solved.');
  await expect(score).toContainText('Leaving the page ended the run.');
  await expect(page.getByRole('radio', { name: 'Storm' })).toBeChecked();
  const coming = received(page);
  await page.getByTestId('start').click();
  await coming;
  await expect(over).toBeHidden();
  await expect(score).not.toContainText('Leaving');
  await page.getByRole('link', { name: 'Analysis' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Analysis');
  await page.goBack();
  await expect(over).toBeVisible();
  await expect(score).toContainText('Leaving the page ended the run.');
});

test('a storm goes on after a mistake and ends after three minutes', async ({ page }) => {
  await page.clock.install();
  const first = await start(page, 'Storm', true);
  await expect(page.getByRole('timer')).toHaveText(/Time left: (3:00|2:5\d)/);
  // The keyboard focus has moved to the board, because the focused start button has disappeared.
  await expect(page.getByRole('grid').locator(':focus')).toHaveCount(1);
  const following = received(page);
  await solve(page, first);
  const second = await following;
  await expect(page.getByTestId('score')).toContainText('Solved: 1');
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');

  const third = received(page);
  await act(page, mistakeIn(second));
  expect((await third).id).not.toBe(second.id);
  await expect(page.getByTestId('score')).toContainText('Solved: 1');
  await expect(page.getByTestId('over')).toHaveCount(0);

  await page.clock.fastForward('03:00');
  await expect(page.getByTestId('over')).toContainText('1 solved');
  await expect(page.getByRole('timer')).toHaveText('Time left: 0:00');
  // The list shows each tried puzzle as solved or not solved, with a link to the solution.
  const tried = page.getByTestId('tried').getByRole('listitem');
  await expect(tried).toHaveText([/:\s+solved/, /not solved/]);
  await expect(tried.last().getByRole('link')).toHaveAttribute('href', `/puzzles/${second.id}#solution`);
  // After the end of a storm (timed series of puzzles), the player can choose no action, and no further puzzle
  // appears.
  await expect(page.getByTestId('give-up')).toBeDisabled();
  await expect(page.locator('[data-action]')).toHaveCount(0);
  await expect(page.getByTestId('puzzle')).toHaveAttribute('data-stage', 'open');
  await page.reload();
  await page.getByRole('radio', { name: 'Storm' }).check();
  await expect(page.getByTestId('score')).toContainText('Your best: 1');
});
