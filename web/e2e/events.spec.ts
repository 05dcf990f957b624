// Tests a small Swiss event: the form, joining, the automatic opening of a player's match, the standings and the crosstable.
import { playInTurn, signUp } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';
import type { BrowserContext } from '@playwright/test';

/** Returns the id of the running match of a browser's player in a tournament event. */
async function matchOf(browser: BrowserContext, event: string): Promise<string> {
  const read = await browser.request.get(`/api/v1/events/${event}`);
  const { you } = (await read.json()) as { you: { match: string | null } };
  if (!you.match) throw new Error('no match is running');
  return you.match;
}

test('a Swiss event of four players opens their matches and shows the crosstable', async ({
  page,
  context,
  somebody
}) => {
  const phone = await somebody({ locale: 'de-DE', viewport: { width: 320, height: 640 } });
  const [third, fourth] = [await somebody(), await somebody()];
  const ada = await signUp(context, 'Ada');
  const bea = await signUp(phone, 'Bea');
  await signUp(third, 'Cid');
  await signUp(fourth, 'Dan');

  // The host makes the event with the form, and joins by keyboard.
  await page.goto('/play');
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByTestId('kind-swiss').check();
  await page.getByTestId('event-name').fill('Friday');
  await page.getByTestId('event-rounds').fill('1');
  await page.getByTestId('make-event').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friday');
  await expect(page.getByTestId('standings-empty')).toBeVisible();
  await expect(page.getByTestId('event-start')).toBeDisabled();
  const id = page.url().split('/').pop() ?? '';
  await focusOn(page.getByTestId('event-join'));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('event-status')).toContainText('You have joined');
  await expect(page.getByTestId('event-status')).toBeFocused();

  // A friend finds the event in the list, and sees the standings live.
  const guest = await phone.newPage();
  await guest.goto('/events');
  await expect(guest.getByTestId('coming')).toBeVisible();
  // The page shows the heading for running events only if there are running events.
  expect(await guest.getByRole('heading', { name: 'Laufende Turniere' }).count()).toBe(
    await guest.getByTestId('running').count()
  );
  await guest.getByTestId('coming').getByRole('link', { name: 'Friday' }).click();
  await guest.getByTestId('event-join').click();
  await expect(guest.getByTestId('event-leave')).toHaveText('Austreten');
  // In the standings, the name of a player without a rated match is no link, because the player has no public profile.
  await expect(page.getByTestId('standings').getByRole('rowheader', { name: bea })).toBeVisible();
  await expect(page.getByTestId('standings').getByRole('link')).toHaveCount(0);
  for (const other of [third, fourth]) {
    const joined = await other.request.post(`/api/v1/events/${id}/join`);
    expect(joined.ok(), await joined.text()).toBe(true);
  }
  await expect(page.getByTestId('standings').locator('tbody tr')).toHaveCount(4);

  // When the event starts, the page of each player opens the player's match by itself.
  await page.getByTestId('event-start').click();
  await page.waitForURL('**/match/*');
  await guest.waitForURL('**/match/*');

  const browsers = [context, phone, third, fourth];
  const ids = await Promise.all(browsers.map((browser) => matchOf(browser, id)));
  expect(page.url()).toContain(ids[0]);
  expect(guest.url()).toContain(ids[1]);
  expect(new Set(ids).size).toBe(2);

  // The start page tells a player about their match in a tournament event, even in a browser that never showed the page
  // of the event. The browser learns of the match from the list of the player's matches.
  const elsewhere = await third.newPage();
  await elsewhere.goto('/');
  await expect(elsewhere.getByRole('region', { name: 'Your unfinished match' })).toContainText('in an event');
  await expect(elsewhere.getByTestId('event-begun')).toContainText('Your match in “Friday”');
  await elsewhere.close();

  for (const match of new Set(ids)) {
    const pair = browsers.filter((_, index) => ids[index] === match);
    const [one, other] = [pair[0], pair[1]];
    if (!one || !other) throw new Error('a match has two players');
    await playInTurn([one, other], match, 2);
    const resigned = await one.request.post(`/api/v1/matches/${match}/resign`, {
      data: { client_id: crypto.randomUUID() }
    });
    expect(resigned.ok(), await resigned.text()).toBe(true);
  }

  // The host of the tournament event, who has resigned their match, opens the results of the event.
  await page.getByTestId('event-results').click();
  await expect(page.getByTestId('event-time')).toContainText('Ended');
  const rows = page.getByTestId('standings').locator('tbody tr');
  await expect(rows.first()).toContainText('+');
  await expect(rows.filter({ hasText: ada })).toContainText('−');
  await expect(page.getByTestId('crosstable').locator('tbody tr')).toHaveCount(4);
  await expect(page.getByTestId('event-deals').getByRole('link')).toHaveCount(1);

  // On a phone, each wide table scrolls within its own frame, and the page does not scroll sideways.
  await guest.goto(`/events/${id}`);
  await expect(guest.getByTestId('crosstable')).toBeVisible();
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // The standings of the event fit the width of a phone without scrolling.
  const frame = guest.getByRole('region', { name: 'Stand', exact: true });
  expect(await frame.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  await expect(frame.locator('tbody tr').first()).toContainText('Punkte der Gegner: ');
  // On a phone, the title of the settings dialog fits in one line.
  await guest.getByRole('button', { name: 'Einstellungen' }).click();
  const title = guest.getByRole('heading', { name: 'Einstellungen' });
  const height = await title.evaluate(
    (shown) => shown.clientHeight / parseFloat(getComputedStyle(shown).fontSize)
  );
  expect(height).toBeLessThan(1.5);
  await guest.goto('/events');
  await expect(guest.getByTestId('finished').getByRole('link', { name: 'Friday' }).first()).toBeVisible();
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('a host calls an event off after a question, and the page of a player shows nothing else of it', async ({
  page,
  context,
  somebody,
  watch
}) => {
  watch.allow(/404/);
  const friend = await somebody();
  await signUp(context, 'Eva');
  await signUp(friend, 'Fay');
  await page.goto('/events');
  await page.getByTestId('event-name').fill('Rainy day');
  await page.getByTestId('make-event').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rainy day');
  const guest = await friend.newPage();
  await guest.goto(page.url());
  await guest.getByTestId('event-join').click();
  await expect(guest.getByTestId('event-leave')).toBeVisible();

  await page.getByTestId('event-remove').click();
  await page.getByTestId('event-remove-yes').click();
  await page.waitForURL('**/events');
  await expect(guest.getByTestId('event-gone')).toBeVisible();
  await expect(guest.getByTestId('standings')).toHaveCount(0);
});

test('a reader without an account and an unknown event have their sentences', async ({ page, watch }) => {
  watch.allow(/404/);
  await page.goto('/events');
  await expect(page.getByTestId('need-account')).toBeVisible();
  await page.goto('/events/00000000000000000000000000000000');
  await expect(page.getByTestId('event-gone')).toBeVisible();
});
