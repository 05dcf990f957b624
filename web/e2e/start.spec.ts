// Tests the start page: the part that is visible without scrolling, and the list of matches.
import { act, newMatch, stateOf } from './support/api';
import { GERMAN_AT_LEAST } from './support/sample';
import { expect, test } from './support/test';

for (const [width, height] of [
  [1280, 600],
  [375, 600],
  [320, 568]
] as const) {
  test(`the buttons to play are seen without scrolling at ${width} × ${height}, with an unfinished match`, async ({
    somebody
  }) => {
    for (const locale of GERMAN_AT_LEAST) {
      const context = await somebody({ locale, viewport: { width, height } });
      const page = await context.newPage();
      const match = await newMatch(context, {
        rules: 'bga',
        opponent: { kind: 'level', level: 1 },
        lead: 'me'
      });
      await act(context, match, match.current.legal[0]?.action ?? '');
      await page.goto('/');
      await expect(page.getByTestId('continue')).toBeInViewport({ ratio: 1 });
      await expect(page.getByTestId('play')).toBeInViewport({ ratio: 1 });
    }
  });
}

test('a match in which nobody has played is not listed, and an unfinished match comes first', async ({
  page,
  context
}) => {
  const level = { kind: 'level' as const, level: 1 };
  await newMatch(context, { rules: 'bga', opponent: level, lead: 'me' });
  await page.goto('/');
  await expect(page.getByTestId('play')).toBeEnabled();
  await expect(page.locator('a[href^="/match/"]')).toHaveCount(0);
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  await act(context, match, match.current.legal[0]?.action ?? '');
  await page.reload();
  await expect(page.locator('a[href^="/match/"]')).toHaveCount(1);
  await page.getByTestId('continue').click();
  await expect(page).toHaveURL(new RegExp(match.id));
});

test('a match is deleted after a question', async ({ page, context, watch }) => {
  watch.allow(/status of 404/);
  const matches = [];
  for (let number = 0; number < 3; number += 1) {
    const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
    matches.push(await act(context, match, match.current.legal[0]?.action ?? ''));
  }
  await page.goto('/');
  const links = page.getByTestId('matches').locator('a[href^="/match/"]');
  await expect(links).toHaveCount(2);
  const address = await links.first().getAttribute('href');
  await page.getByTestId('delete').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(links).toHaveCount(2);
  await page.getByTestId('delete').first().click();
  await page.getByTestId('delete-yes').click();
  await expect(links).toHaveCount(1);
  const gone = await context.request.get(`/api/v1${address?.replace('/match/', '/matches/')}`);
  expect(gone.status()).toBe(404);
  const kept = matches.filter(({ id }) => !address?.endsWith(id));
  expect(kept).toHaveLength(2);
  for (const { id } of kept) expect((await stateOf(context, id)).id).toBe(id);
});

test('a part of the page that cannot be loaded says so', async ({ page, watch }) => {
  watch.allow(/ERR_FAILED/);
  await page.goto('/');
  await expect(page.getByTestId('play')).toBeEnabled();
  // The test blocks the files of the loaded page, as if the server had a later version of the site without these files.
  await page.route('**/_app/immutable/**', (route) => route.abort());
  await page.getByTestId('more').locator('> summary').click();
  await expect(page.getByTestId('more')).toContainText('Reload the page.');
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('dialog')).toContainText('Reload the page.');
});
