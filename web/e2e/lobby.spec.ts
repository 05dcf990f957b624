// Tests that the players of two browsers get a match through an open offer.
import { act, signUp, stateOf } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';
import { Table } from './support/table';

test('an offer that waits while its maker plays a level becomes a match', async ({
  page,
  context,
  somebody
}) => {
  await page.goto('/');
  await page.getByTestId('play-person').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Play a person');
  // Other tests use the same server, so the rule set identifies the offer of this test.
  await page.getByTestId('lobby-rules').selectOption({ value: 'denexa' });
  await page.getByLabel('Your name, if you like').fill('Anna');
  await page.getByTestId('quick').nth(1).click();
  await expect(page.getByTestId('own-offers')).toContainText('Clock 3 + 2');
  await expect(page.getByTestId('lobby-said')).toContainText('Your offer is open.');
  // The offer stays open and is shown on every page while its maker visits other pages.
  await page.goto('/learn');
  await expect(page.getByTestId('offer-open')).toContainText('Clock 3 + 2');
  await page.goto('/');
  await page.getByTestId('play').click();
  const level = await Table.arrived(page);

  const friend = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const guest = await friend.newPage();
  await guest.goto('/play');
  const offer = guest.getByTestId('offers').locator('li').filter({ hasText: 'Anna' });
  await expect(offer).toContainText('3 + 2');
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await focusOn(offer.getByRole('button', { name: /Das Angebot .* von .*Anna.* annehmen/ }));
  await guest.keyboard.press('Enter');
  const { id } = await Table.arrived(guest);

  // The player who made the offer is at the table of another match, where a notice announces that the offer was
  // accepted.
  await expect(page.getByTestId('offer-accepted')).toContainText('Your offer was accepted');
  await page.getByTestId('to-match').click();
  await expect(page).toHaveURL(`/match/${id}`);
  expect(level.id).not.toBe(id);
  await Table.arrived(page);
  await expect(page.getByTestId('to-match')).toHaveCount(0);
  const state = await stateOf(context, id);
  expect(state.clocks?.setting).toEqual({ kind: 'live', base: 180, increment: 2 });
  const actor = state.current.legal.length > 0 ? context : friend;
  const seen = await stateOf(actor, id);
  await act(actor, seen, seen.current.legal[0]?.action ?? '');
});

test('equal quick offers meet, and an own offer is withdrawn', async ({ page, somebody }) => {
  const wait = async (shown: typeof page, rules: string, quick: number) => {
    await shown.goto('/play');
    await shown.getByTestId('lobby-rules').selectOption({ value: rules });
    await shown.getByTestId('quick').nth(quick).click();
  };
  await wait(page, 'rael', 4);
  await expect(page.getByTestId('own-offers')).toContainText('open for 14 days');
  await page.getByTestId('withdraw').click();
  await expect(page.getByTestId('own-offers')).toHaveCount(0);
  await expect(page.getByTestId('lobby-said')).toContainText('The offer is withdrawn.');
  await wait(page, 'rael', 2);
  await expect(page.getByTestId('own-offers')).toBeVisible();
  const guest = await (await somebody()).newPage();
  await guest.goto('/play');
  await guest.getByTestId('lobby-rules').selectOption({ value: 'rael' });
  await expect(guest.getByTestId('quick').nth(2)).toContainText('1 waits');
  await guest.getByTestId('quick').nth(2).click();
  const { id } = await Table.arrived(guest);
  // The page of a player who waits in the lobby opens the match as soon as another player has accepted their offer.
  await expect(page).toHaveURL(`/match/${id}`);
});

test('a row stays when its offer has ended, and nobody is told of an end in a second tab', async ({
  page,
  context,
  somebody
}) => {
  await page.goto('/play');
  await page.getByLabel('Your name, if you like').fill('Zoe');
  for (const quick of [0, 4]) {
    await page.getByTestId('quick').nth(quick).click();
    await expect(page.getByTestId('lobby-said')).toContainText('Your offer is open.');
  }
  await expect(page.getByTestId('withdraw')).toHaveCount(2);
  // Another tab of the player's browser shows the player's offers from the browser's storage, and another player's
  // lobby lists these offers.
  const tab = await context.newPage();
  await tab.goto('/rules');
  await expect(tab.getByTestId('offer-open')).toContainText('Your 2 offers are open.');
  const guest = await (await somebody()).newPage();
  await guest.goto('/play');
  const rows = guest.getByTestId('offers').locator('li').filter({ hasText: 'Zoe' });
  await expect(rows).toHaveCount(2);
  await focusOn(page.getByTestId('withdraw').first());
  await page.keyboard.press('Enter');
  // In another player's lobby, the row of a withdrawn offer stays for some seconds.
  const gone = rows.and(guest.locator('[data-gone="true"]'));
  await expect(gone).toContainText('Not open any more');
  await expect(rows).toHaveCount(2);
  await expect(gone.getByTestId('accept')).toBeDisabled();
  await expect(page.getByTestId('withdraw')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Your offers' })).toBeFocused();
  await expect(tab.getByTestId('offer-open')).toContainText('Your offer is open');
  await expect(tab.getByTestId('offer-ended')).toBeEmpty();
  // The test withdraws the correspondence offer, which would otherwise stay in the lobby during the next
  // tests.
  await page.getByTestId('withdraw').click();
  await expect(page.getByTestId('withdraw')).toHaveCount(0);
});

test('a rated offer is for accounts, and only the challenged player sees a challenge', async ({
  page,
  context,
  somebody
}) => {
  const friend = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const [ada, bea] = [await signUp(context, 'Ada'), await signUp(friend, 'Bea')];
  await page.goto('/play');
  await page.getByLabel('Your name, if you like').fill('Rita');
  await page.getByTestId('rated').first().check();
  await expect(page.getByTestId('quick').first()).toBeDisabled();
  await page.getByTestId('quick').nth(4).click();
  await expect(page.getByTestId('own-offers')).toContainText('rated');
  const stranger = await (await somebody()).newPage();
  await stranger.goto('/play');
  const rated = stranger.getByTestId('offers').locator('li').filter({ hasText: 'Rita' });
  await expect(rated).toContainText('A rated match needs an account.');
  await expect(rated.getByTestId('rating')).toContainText('1500');
  await expect(rated.getByTestId('accept')).toBeDisabled();
  await page.getByTestId('withdraw').click();
  await expect(page.getByTestId('own-offers')).toHaveCount(0);

  // One player declines a challenge, and the challenger dismisses the notice about the refusal.
  await page.goto(`/play?to=${bea}`);
  await expect(page.getByTestId('challenge-handle')).toHaveValue(bea);
  await expect(page.getByLabel('Your name, if you like')).toHaveValue(ada);
  await page.getByTestId('make-offer').click();
  await expect(page.getByTestId('own-offers')).toContainText(`Challenge to ${bea}`);
  const guest = await friend.newPage();
  await guest.goto('/play');
  await expect(guest.getByTestId('challenges')).toContainText(ada);
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await expect(stranger.getByTestId('challenges')).toHaveCount(0);
  await guest.getByTestId('decline-challenge').click();
  await expect(guest.getByTestId('challenges')).toHaveCount(0);
  await expect(page.getByTestId('own-offers')).toContainText(`${bea} has declined your challenge.`);
  await page.getByTestId('dismiss-challenge').click();
  await expect(page.getByTestId('own-offers')).toHaveCount(0);

  // Bea now challenges Ada, and Ada sees the challenge on a page outside the lobby and accepts it.
  await guest.goto(`/play?to=${ada}`);
  await guest.getByTestId('make-offer').click();
  // Outside the lobby, a page requests the open challenges to the player when the page opens, and then once a minute.
  await expect(guest.getByTestId('own-offers')).toContainText(ada);
  await page.goto('/rules');
  await expect(page.getByTestId('challenged')).toContainText(bea);
  await page.getByTestId('challenged').getByRole('link').click();
  await page.getByTestId('accept-challenge').click();
  const { id } = await Table.arrived(page);
  await expect(guest).toHaveURL(`/match/${id}`);
});

test('an empty lobby makes an offer with days', async ({ page }) => {
  await page.goto('/play');
  await page.getByTestId('lobby-rules').selectOption({ value: 'pagat' });
  await expect(page.getByTestId('lobby-empty')).toContainText('Nobody else is waiting');
  await page.getByTestId('lobby-days').click();
  await expect(page.getByTestId('own-offers')).toContainText('open for 14 days');
  await page.getByTestId('withdraw').click();
  await expect(page.getByTestId('own-offers')).toHaveCount(0);
});

test('an offer has minutes and seconds of its maker’s own', async ({ page }) => {
  await page.goto('/play');
  await page.getByTestId('lobby-settings').locator('summary').click();
  const offer = page.getByTestId('own-offer');
  await offer.getByTestId('clock').selectOption('own');
  await offer.getByLabel('Minutes for the match').fill('7');
  await offer.getByLabel('Seconds for each action').fill('3');
  await offer.getByTestId('make-offer').click();
  await expect(page.getByTestId('own-offers')).toContainText('Clock 7 + 3');
  await page.getByTestId('withdraw').click();
  await expect(page.getByTestId('own-offers')).toHaveCount(0);
});
