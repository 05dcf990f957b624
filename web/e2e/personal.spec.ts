// Tests the buttons in the settings panel that export and erase a browser's data.
import { readFileSync } from 'node:fs';
import type { components } from '../src/lib/api/schema';
import { act, newMatch } from './support/api';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';

type Export = components['schemas']['Export'];

test('the settings export every match with its record', async ({ page, context }) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, names: { me: 'Anna' } });
  await page.goto('/');
  await page.getByRole('button', { name: 'Settings' }).click();
  const download = page.waitForEvent('download');
  await page.getByTestId('export').click();
  const file = await (await download).path();
  const { identity, matches } = JSON.parse(readFileSync(file, 'utf8')) as Export;
  expect(identity).toMatch(/^[0-9a-f]{64}$/);
  expect(matches.map(({ summary }) => summary.id)).toEqual([match.id]);
  expect(matches[0]?.record).toContain('Anna');
});

test('the settings erase everything after a question, by keyboard', async ({
  page,
  context,
  somebody,
  watch
}) => {
  watch.allow(/status of 404/);
  const begun = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  const alone = await act(context, begun, begun.current.legal[0]?.action ?? '');
  const invited = await newMatch(context, {
    rules: 'bga',
    opponent: { kind: 'friend' },
    names: { me: 'Anna' }
  });
  const friend = await somebody();
  const joined = await friend.request.post(
    `/api/v1${invited.invitation?.replace('/join/', '/invitations/')}`,
    {
      data: { name: 'Bert' }
    }
  );
  expect(joined.ok(), await joined.text()).toBe(true);

  await page.goto('/');
  await expect(page.locator(`a[href="/match/${alone.id}"]`).first()).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  const watched = (match: string) =>
    page.evaluate((match) => localStorage.getItem(match), `overmate.watch.${match}`);
  await page.evaluate(() => localStorage.setItem('overmate.watch.0a', 'token'));
  expect(await watched('0a')).toBe('token');
  const question = page.getByRole('dialog', { name: 'Erase your data?' });
  // A cancelled erasure keeps all data.
  await focusOn(page.getByTestId('erase'));
  await page.keyboard.press('Enter');
  await expect(question).toHaveAccessibleDescription(/This cannot be undone\./);
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByTestId('erase')).toBeFocused();
  await page.keyboard.press('Enter');
  await focusOn(page.getByTestId('erase-yes'));
  const erased = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.keyboard.press('Enter');
  expect((await erased).status()).toBe(204);
  await expect(page.getByTestId('play')).toBeVisible();
  await expect(page.locator('a[href^="/match/"]')).toHaveCount(0);
  expect(await context.cookies()).toEqual([]);
  expect(await watched('0a')).toBeNull();
  await page.goto(`/match/${alone.id}`);
  await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'not-found');
  // The page of a missing review has no button to try again, because a repeated request would fail, too.
  await page.goto(`/match/${alone.id}/review?game=0`);
  await expect(page.getByTestId('problem')).toHaveAttribute('data-code', 'not-found');
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);

  // After a player has erased their data, the opponent keeps their match, in which the erased player counts as having
  // resigned.
  const other = await friend.newPage();
  await other.goto(`/match/${invited.id}`);
  await expect(other.getByText('Deleted player').first()).toBeVisible();
  await expect(other.getByText('Anna')).toHaveCount(0);
});
