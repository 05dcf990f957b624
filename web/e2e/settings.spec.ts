// Tests the settings for sound and for animations.
import { newMatch, playBoth } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

const BOTH = { rules: 'bga', opponent: { kind: 'both' as const }, deal: '20010', lead: 'me' as const };

test('sounds are played only while they are switched on', async ({ page, context }) => {
  // A script in the page counts the tones that the page starts. The page still plays the tones.
  await page.addInitScript(() => {
    const { start } = OscillatorNode.prototype;
    const counting = globalThis as unknown as { tones: number };
    counting.tones = 0;
    OscillatorNode.prototype.start = function (...at: [number?]) {
      counting.tones += 1;
      start.apply(this, at);
    };
  });
  const tones = () => page.evaluate(() => (globalThis as unknown as { tones: number }).tones);
  const sound = async (on: boolean) => {
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Sound' }).setChecked(on);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  const match = await newMatch(context, BOTH);
  const table = await Table.open(page, match.id);
  await table.play(([action]) => action);
  expect(await tones()).toBe(0);

  // Switching sounds on plays a sound. From now on, each card also plays a sound.
  await sound(true);
  const preview = await tones();
  expect(preview).toBeGreaterThan(0);
  await table.play(([action]) => action);
  expect(await tones()).toBeGreaterThan(preview);
  // The sound setting is kept after a reload of the page.
  await page.reload();
  await table.ready();
  await table.play(([action]) => action);
  expect(await tones()).toBeGreaterThan(0);
  while ((await table.turn()) === 'act') await table.play(([action]) => action);
  await expect(page.getByTestId('end')).toBeVisible();
  // Since its reload, the page has played at least as many tones as the whole game has actions. Two actions were played
  // before the reload, and each later card plays at least two tones.
  const { finished } = await table.state();
  expect(finished[0]?.outcome?.kind).toMatch(/mate/);
  expect(await tones()).toBeGreaterThanOrEqual(finished[0]?.steps.length ?? NaN);

  await sound(false);
  const before = await tones();
  await page.getByTestId('next-game').click();
  await table.play(([action]) => action);
  expect(await tones()).toBe(before);
});

test('without animations the exchange of hands is shown and announced', async ({ page, context }) => {
  const match = await newMatch(context, BOTH);
  const table = await Table.open(page, match.id);
  await playBoth(context, match, ({ current }) => current.index === 1);
  await expect.poll(() => table.turn()).toBe('next');
  const before = await table.hand('first').evaluateAll((cards) => cards.length);
  expect(before).toBeLessThan(10);
  await page.getByTestId('next-game').click();
  await expect(page.getByTestId('exchange')).toContainText('The hands are exchanged');
  await expect(page.getByTestId('spoken')).toContainText('Game 2 of 4. The hands are exchanged.');
  // When the player plays the first card of the game, the page hides the message that the hands are exchanged.
  await expect(table.hand('first')).toHaveCount(10);
  await table.play(([action]) => action);
  await expect(page.getByTestId('exchange')).toBeHidden();
});

test('a link in the settings closes the settings', async ({ page }) => {
  await page.goto('/rules');
  const dialog = page.getByRole('dialog');
  for (const path of ['/me', '/me#browsers']) {
    await page.getByRole('button', { name: 'Settings' }).click();
    await dialog.locator(`a[href="${path}"]`).click();
    await expect(page).toHaveURL(path);
    await expect(dialog).toHaveCount(0);
  }
});

test('a change of language returns to the language in the settings', async ({ page, context }) => {
  const match = await newMatch(context, BOTH);
  let [settings, language] = ['Settings', 'Language'];
  for (const [path, locale] of [
    ['/rules', 'de'],
    [`/match/${match.id}`, 'en']
  ] as const) {
    await page.goto(path);
    await page.getByRole('button', { name: settings }).click();
    await page.getByRole('combobox', { name: language }).selectOption(locale);
    await expect(page.locator('html')).toHaveAttribute('lang', locale);
    [settings, language] = locale === 'de' ? ['Einstellungen', 'Sprache'] : ['Settings', 'Language'];
    await expect(page.getByRole('combobox', { name: language })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    // A further reload does not open the settings.
    await page.reload();
    await expect(page.getByRole('button', { name: settings })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});

test('a change of language that ends at a problem page does not open the settings of the next page', async ({
  page,
  context,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  const match = await newMatch(context, BOTH);
  await Table.open(page, match.id);
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.route('**/api/v1/matches/*', (route) => route.abort());
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByTestId('problem')).toBeVisible();
  await page.getByRole('main').locator('a[href="/"]').click();
  await expect(page.getByRole('button', { name: 'Einstellungen' })).toBeVisible();
  await expect(page.getByTestId('play')).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
