// Tests that two players add one another as favourites, see each other in their lists, and exchange messages.
import { playInTurn, signUp } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';
import type { BrowserContext } from '@playwright/test';

/**
 * Creates accounts for the players of two browsers, and a rated match between the two players. Returns the handles and
 * the id of the match.
 */
async function begin(context: BrowserContext, friend: BrowserContext) {
  const [ada, bea] = [await signUp(context, 'Ada'), await signUp(friend, 'Bea')];
  const made = await context.request.post('/api/v1/matches', {
    data: {
      rules: 'bga',
      opponent: { kind: 'friend' },
      lead: 'me',
      rated: true,
      clock: { kind: 'live', base: 300, increment: 5 }
    }
  });
  expect(made.ok(), await made.text()).toBe(true);
  const { id, invitation } = (await made.json()) as { id: string; invitation: string };
  const joined = await friend.request.post(`/api/v1${invitation.replace('/join/', '/invitations/')}`, {
    data: {}
  });
  expect(joined.ok(), await joined.text()).toBe(true);
  return { ada, bea, id };
}

test('a player adds the opponent in a match and on the profile, and removes them', async ({
  page,
  context,
  somebody
}) => {
  const friend = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const { ada, bea, id } = await begin(context, friend);

  // At the table of their match, the player adds the opponent to their favourites.
  await page.goto(`/match/${id}`);
  await page.getByTestId('open-phrases').click();
  await page.getByTestId('add-opponent').click();
  await expect(page.getByTestId('opponent-favourite')).toContainText('is one of your favourites');
  await expect(page.getByTestId('add-opponent')).toHaveCount(0);

  await playInTurn([context, friend], id, 2);
  const resigned = await friend.request.post(`/api/v1/matches/${id}/resign`, {
    data: { client_id: crypto.randomUUID() }
  });
  expect(resigned.ok(), await resigned.text()).toBe(true);

  // The opponent opens the player's profile, and adds the player to their favourites there by keyboard.
  const guest = await friend.newPage();
  await guest.goto(`/players/${ada}`);
  const button = guest.getByTestId('favourite');
  await expect(button).toHaveText('Zu den Favoriten');
  await focusOn(button);
  await guest.keyboard.press('Enter');
  await expect(button).toHaveText('Aus den Favoriten entfernen');
  await expect(guest.getByTestId('favourite-said')).toHaveText('Gehört zu deinen Favoriten');
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);

  await page.goto('/me');
  const own = page.getByTestId('favourites').getByTestId('favourite');
  await expect(own).toHaveCount(1);
  await expect(own.getByRole('link', { name: bea })).toHaveAttribute('href', `/players/${bea}`);
  await expect(own.getByTestId('mutual')).toHaveText('You have added one another.');
  await own.getByRole('button', { name: `Remove ${bea} from your favourites` }).click();
  await expect(page.getByTestId('no-favourites')).toBeVisible();
  await expect(page.getByTestId('favourites-said')).toContainText(bea);

  await guest.goto('/me');
  const theirs = guest.getByTestId('favourites').getByTestId('favourite');
  await expect(theirs).toContainText(ada);
  await expect(theirs.getByTestId('mutual')).toHaveCount(0);
  await guest.goto(`/players/${bea}`);
  await expect(guest.getByTestId('ratings')).toBeVisible();
  // The player's own profile lists the favourites, and has no button to add oneself.
  await expect(guest.getByTestId('favourites')).toBeVisible();
  await expect(guest.locator('button[data-testid="favourite"]')).toHaveCount(0);
});

test('two players who have added one another write to each other at the table', async ({
  page,
  context,
  somebody
}) => {
  const friend = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const { id } = await begin(context, friend);
  const guest = await friend.newPage();
  for (const table of [page, guest]) {
    await table.goto(`/match/${id}`);
    await table.getByTestId('open-phrases').click();
    await expect(table.getByTestId('talk-closed')).toBeVisible();
    await expect(table.getByTestId('talk-text')).toHaveCount(0);
    await table.getByTestId('add-opponent').click();
  }
  // Once each player has added the opponent as a favourite, the player who was second can write in the dialog that is
  // still open. The first player must reopen the dialog.
  await guest.getByTestId('talk-text').fill('Viel Glück! <b>');
  await guest.getByTestId('talk-send').click();
  await expect(guest.getByTestId('talk-line')).toContainText('Viel Glück! <b>');
  await expect(guest.getByTestId('talk-text')).toHaveValue('');
  await expect(page.getByTestId('talk-line')).toContainText('Viel Glück! <b>');
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await page.keyboard.press('Escape');
  await page.getByTestId('open-phrases').click();
  await page.getByTestId('talk-text').fill('thank you');
  await page.keyboard.press('Enter');
  await expect(guest.getByTestId('talk-line')).toHaveCount(2);
  // After a reload, the page of the match lists all messages of the two players, and marks none of them as new.
  await guest.reload();
  await expect(guest.getByTestId('open-phrases')).toBeVisible();
  await expect(guest.getByTestId('phrase')).toHaveCount(0);
  await guest.getByTestId('open-phrases').click();
  await expect(guest.getByTestId('talk-line')).toHaveCount(2);
  await guest.keyboard.press('Escape');
  await page.getByTestId('talk-text').fill('one more');
  await page.keyboard.press('Enter');
  await expect(guest.getByTestId('phrase')).toHaveText('one more');
  // The table shows the number of messages that arrived while the player was on other pages, until the player reads
  // them.
  await guest.goto('/rules');
  await page.getByTestId('talk-text').fill('where are you');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('talk-line')).toHaveCount(4);
  await guest.goto(`/match/${id}`);
  await expect(guest.getByTestId('open-phrases')).toHaveAccessibleName('Zuruf … 2 neue Nachrichten');
  await guest.getByTestId('open-phrases').click();
  await expect(guest.getByTestId('talk-line')).toHaveCount(4);
  await guest.keyboard.press('Escape');
  await expect(guest.getByTestId('open-phrases')).toHaveText('Zuruf …');
  await guest.reload();
  await expect(guest.getByTestId('open-phrases')).toHaveText('Zuruf …');
});

test('the lobby offers the favourites for a challenge, and says who is here', async ({
  page,
  context,
  somebody
}) => {
  const friend = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const { ada, bea, id } = await begin(context, friend);
  // For a player without favourites, the page shows no section for challenges to favourites.
  await page.goto('/play');
  await expect(page.getByTestId('rated').first()).toBeVisible();
  await expect(page.getByTestId('favourite-challenges')).toHaveCount(0);
  for (const somebody of [context, friend]) {
    const added = await somebody.request.put(`/api/v1/matches/${id}/favourite`);
    expect(added.ok(), await added.text()).toBe(true);
  }
  await page.goto('/play');
  const button = page.getByRole('button', { name: `Challenge: ${bea}` });
  await expect(button).toHaveAttribute('data-here', 'false');

  const guest = await friend.newPage();
  await guest.goto('/play');
  const theirs = guest.getByTestId('favourite-challenges');
  await expect(theirs.getByRole('heading')).toHaveText('Favoriten herausfordern');
  await expect(theirs.getByRole('button', { name: `Herausfordern: ${ada} ist hier` })).toBeVisible();
  expect(await guest.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
  await page.reload();
  await expect(page.getByRole('button', { name: `Challenge: ${bea} here now` })).toBeVisible();

  // The button with the name of a favourite writes the favourite's handle into the form of a challenge. Enter in this
  // form makes the challenge.
  await focusOn(button);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('challenge-handle')).toHaveValue(bea);
  await expect(page.getByTestId('challenge-handle')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('own-offers')).toContainText(`Challenge to ${bea}`);
  await expect(guest.getByTestId('challenges')).toContainText(ada);
});
