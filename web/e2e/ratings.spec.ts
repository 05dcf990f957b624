// Tests that a rated match between two accounts changes the ratings that the page shows.
import { join, newMatch, playInTurn, signUp, stateOf } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';

test('a rated match changes both ratings, and the profiles show it until they are private', async ({
  page,
  context,
  somebody,
  watch
}) => {
  const friend = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const [ada, bea] = [await signUp(context, 'Ada'), await signUp(friend, 'Bea')];
  // Other people cannot find the profile of a player who has played no rated match.
  expect((await context.request.get(`/players/${bea}`)).status()).toBe(404);

  await page.goto('/');
  await expect(page.getByTestId('rated')).toHaveCount(0);
  await page.getByTestId('clock').first().selectOption({ index: 2 });
  await page.getByTestId('rated').check();
  await page.getByTestId('play-friend').click();
  await expect(page.getByTestId('invite')).toBeVisible();
  const id = page.url().split('/').pop() ?? '';
  const link = await page.getByTestId('invite').getByRole('textbox').inputValue();

  const guest = await friend.newPage();
  await guest.goto(link);
  await expect(guest.locator('main')).toContainText('Die Partie ist gewertet');
  await guest.getByTestId('join').click();
  await expect(guest).toHaveURL(`/match/${id}`);
  await playInTurn([context, friend], id, 4);
  const resigned = await friend.request.post(`/api/v1/matches/${id}/resign`, {
    data: { client_id: crypto.randomUUID() }
  });
  expect(resigned.ok(), await resigned.text()).toBe(true);
  await expect(page.getByTestId('rating-change')).toHaveText('Your rating: 1500 → 1662 (+162)');
  await expect(guest.getByTestId('rating-change')).toHaveText('Deine Wertung: 1500 → 1338 (−162)');

  await guest.goto(`/players/${ada.toLowerCase()}`);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(ada);
  await expect(guest.getByTestId('ratings')).toContainText('1662');
  await expect(guest.getByTestId('rated-matches').getByRole('link', { name: bea })).toBeVisible();
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);

  // On the smallest tested phone, the tables of the profile fit the width of the window.
  await guest.setViewportSize({ width: 320, height: 568 });
  const tables = await guest
    .getByRole('region')
    .filter({ has: guest.locator('table') })
    .evaluateAll((found) => found.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  expect(tables).toEqual([0, 0]);
  await expect(guest.getByTestId('ratings')).toContainText('Gewonnen · unentschieden · verloren: 1 · 0 · 0');

  // The table of rated matches on a profile can be scrolled by keyboard.
  await focusOn(guest.getByRole('region', { name: 'Letzte gewertete Partien' }));
  await expect(guest.locator(':focus').getByTestId('rated-matches')).toBeVisible();

  // The player's own profile links to the settings of the account.
  await page.goto(`/players/${ada}`);
  await page.getByTestId('manage').click();
  await expect(page).toHaveURL('/me#account');
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeInViewport();
  await page.getByTestId('profile').getByTestId('private').check();
  await expect(async () => {
    const seen = await friend.request.get(`/api/v1/players/${ada}`);
    expect(seen.status()).toBe(404);
  }).toPass();
  await expect(page.getByTestId('private')).toBeChecked();
  await expect(page.getByTestId('profile-said')).toHaveText('Your choice is saved.');
  watch.allow(/status of 400/);
  await page.goto('/');
  await page.getByRole('link', { name: 'Best players' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Best players');
  await page.goto('/players?rules=gone');
  await expect(page.getByTestId('problem')).toBeVisible();
  await page.getByRole('link', { name: 'Best players' }).click();
  await expect(page.getByTestId('problem')).toHaveCount(0);
  await guest.goto(`/players/${bea}`);
  await expect(guest.getByTestId('rated-matches')).toContainText('Nicht gezeigt');
});

test('players whose ratings are certain stand on the leaderboard', async ({ page, context, somebody }) => {
  const friend = await somebody();
  const [ada, bea] = [await signUp(context, 'Leader'), await signUp(friend, 'Second')];
  // The player `ada` loses every third match, and wins all other matches.
  for (let played = 0; played < 18; played++) {
    const { id, invitation } = await newMatch(context, {
      rules: 'rael',
      opponent: { kind: 'friend' },
      lead: 'me',
      clock: { kind: 'live', base: 180, increment: 2 },
      rated: true
    });
    expect(invitation).toBeTruthy();
    await join(friend, await stateOf(context, id));
    await playInTurn([context, friend], id, 4);
    const loser = played % 3 === 0 ? context : friend;
    const data = { client_id: crypto.randomUUID() };
    expect((await loser.request.post(`/api/v1/matches/${id}/resign`, { data })).ok()).toBe(true);
  }
  await page.goto('/players?rules=rael');
  const rows = page.getByTestId('leaders').locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(ada);
  await expect(rows.nth(1)).toContainText(bea);
  await expect(rows.nth(0).locator('td').last()).toContainText('12');
  await rows.nth(0).getByRole('link', { name: ada }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ada);
});
