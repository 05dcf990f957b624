// Tests that a spectator finds a public match, watches the match with the delay that a player has chosen, and replays the
// match.
import { playInTurn, type LegalAction } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';
import { randomUUID } from 'node:crypto';

test('a third browser watches a delayed match, replays it, and loses it when a player hides it', async ({
  page,
  context,
  somebody,
  watch
}) => {
  const guest = await somebody({ locale: 'de-DE', viewport: { width: 375, height: 667 } });
  const watcher = await somebody({ viewport: { width: 320, height: 640 } });

  // On their own progress page, the host of the match chooses that spectators see the match with a delay.
  await page.goto('/me');
  const choice = page.getByTestId('visibility-watching');
  await expect(choice).toHaveValue('at_once');
  await choice.selectOption('delayed');
  await expect(page.getByTestId('visibility-said')).toHaveText('Saved.');
  await page.reload();
  await expect(choice).toHaveValue('delayed');

  // The lobby links to the list of public matches, which may contain matches of other tests.
  const list = await watcher.newPage();
  await list.goto('/play');
  await list.getByTestId('to-watch').click();
  await expect(list.getByTestId('people')).toBeVisible();

  const made = await context.request.post('/api/v1/offers', {
    data: { rules: 'bga', name: 'Walburga', lead: 'me', client_id: randomUUID() }
  });
  expect(made.ok(), await made.text()).toBe(true);
  const { own } = (await made.json()) as { own: { offer: { id: string } } };
  const accepted = await guest.request.post(`/api/v1/offers/${own.offer.id}/accept`, {
    data: { name: 'Wendelin', client_id: randomUUID() }
  });
  expect(accepted.ok(), await accepted.text()).toBe(true);
  const { id } = (await accepted.json()) as { id: string };

  // The match appears in the list of public matches without a reload. A filter for another rule set hides the match. No
  // other test has a public match of the rule set `sackson`.
  const row = list
    .getByTestId('public-matches')
    .getByRole('listitem')
    .filter({ hasText: 'Walburga against Wendelin' });
  await expect(row).toHaveCount(1);
  await expect(row.getByTestId('stands')).toHaveText('Shown 4 actions late');
  await list.getByTestId('watch-rules').selectOption('sackson');
  await expect(list.getByTestId('watch-empty')).toBeVisible();
  await expect(list).toHaveURL(/rules=sackson/);
  await list.getByTestId('watch-rules').selectOption('');
  await expect(row).toHaveCount(1);
  expect(await list.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await focusOn(row.getByTestId('watch-match'));
  await list.keyboard.press('Enter');

  // The spectators' table states the delay, and shows the match without the latest four actions.
  await expect(list.getByTestId('watching')).toHaveText('You are watching, delayed by 4 actions.');
  // The test avoids mates, because a mate could end the first game before both players together have played seven
  // actions. The deal is random.
  const withoutMate = (legal: LegalAction[]) => legal.find(({ mate }) => !mate) ?? legal[0];
  await playInTurn([context, guest], id, 4, withoutMate);
  await expect(list.getByTestId('log').locator('p')).toHaveCount(0);
  await playInTurn([context, guest], id, 3, withoutMate);
  await expect(list.getByTestId('log').locator('p')).toHaveCount(3);
  expect(await list.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  // A stranger who opens the players' address of a public match finds a link to the page for spectators.
  watch.allow(/status of 404/);
  const stranger = await (await somebody()).newPage();
  await stranger.goto(`/match/${id}`);
  await expect(stranger.getByTestId('problem')).toContainText('This match is public');
  await stranger.getByTestId('watch').click();
  await expect(stranger).toHaveURL(`/watch/${id}/public`);
  await expect(stranger.getByTestId('watching')).toBeVisible();

  // After its end, the public match is shown without delay, and is in the list of finished matches.
  const resigned = await guest.request.post(`/api/v1/matches/${id}/resign`, {
    data: { client_id: randomUUID() }
  });
  expect(resigned.ok(), await resigned.text()).toBe(true);
  await expect(list.getByTestId('watching')).toHaveCount(0);
  await list.goto('/watch?state=finished');
  await expect(row.getByTestId('stands')).toContainText('Walburga won');
  await row.getByTestId('watch-review').click();
  await expect(list).toHaveURL(/watch=public/);
  await expect(list.getByRole('main')).toBeVisible();

  // When one of the two players hides their matches from spectators, the match disappears from the list of public
  // matches.
  await list.goto('/watch?state=finished');
  await expect(row).toHaveCount(1);
  const ownPage = await guest.newPage();
  await ownPage.goto('/me');
  await ownPage.getByTestId('visibility-watching').selectOption('never');
  await expect(ownPage.getByTestId('visibility-said')).toHaveText('Gespeichert.');
  await expect(row).toHaveCount(0);
  watch.allow(/404/);
  await list.goto(`/watch/${id}/public`);
  await expect(list.getByRole('main')).toContainText('Watch');
});
