// Tests that the keyboard focus stays near a pressed button that disappears, where no other test does so.
import { focusOn } from './support/focus';
import { expect, test } from './support/test';

test('after a repeated request, the focus is on the part of the page with the error note', async ({
  page,
  watch
}) => {
  watch.allow(/status of 503/);
  await page.route('**/api/v1/events', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.goto('/events');
  await focusOn(page.getByRole('button', { name: 'Try again' }));
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('problem')).toHaveCount(0);
  await expect(page.locator('#content')).toBeFocused();
});

test('after the last page of the public matches, the focus is on the first match of this page', async ({
  page
}) => {
  const match = (id: string) => ({
    id,
    watch: `/watch/${id}/public`,
    players: { a: `Anna ${id}`, b: 'Bert' },
    progress: null,
    result: null,
    games: 4,
    delay: 4,
    rules: 'bga',
    rules_title: 'BGA',
    rated: false,
    clock: null,
    at: '2026-01-01T00:00:00Z'
  });
  await page.route('**/api/v1/public/matches?*', (route) => {
    const last = new URL(route.request().url()).searchParams.has('after');
    return route.fulfill({
      json: { matches: last ? [match('c')] : [match('a'), match('b')], next: last ? null : 'b' }
    });
  });
  await page.goto('/watch');
  await focusOn(page.getByTestId('watch-more'));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Anna c' })).toBeFocused();
});
