// Tests the analysis page: estimates and proved bounds for an unsolved deal of 48 cards, exact values for a solved
// deal, the retry of a failed request, the Back button, and faulty input.
import { focusOn } from './support/focus';
import { sampled } from './support/sample';
import { expect, test } from './support/test';

/** Regular expression for a number of points with an optional sign. */
const POINTS = '[+−]?\\d+';

/**
 * Expected texts of the analysis page, by language: a pattern of the value of a deal of 48 cards, and the headings of
 * the principal variation. One heading belongs to estimated values, and one to proved values.
 */
const TEXTS = [
  {
    locale: 'en-GB',
    says: `^About ${POINTS} for First by a search to depth \\d+\\. Proved: ${POINTS} to ${POINTS}\\.$`,
    estimated: 'Estimated line',
    proved: 'Best line'
  },
  {
    locale: 'de-DE',
    says: `^Etwa ${POINTS} für den Ersten bei Suchtiefe \\d+\\. Bewiesen: ${POINTS} bis ${POINTS}\\.$`,
    estimated: 'Geschätzte Fortsetzung',
    proved: 'Beste Fortsetzung'
  }
];

for (const { locale, says, estimated, proved } of sampled(TEXTS, 'texts')) {
  test(`${locale}: the analysis of 48 cards estimates each action`, async ({ somebody }) => {
    const page = await (await somebody({ locale })).newPage();
    await page.goto('/analysis?rules=bga%2Bpinochle&deal=123456789012');
    await expect(page.getByTestId('value')).toHaveText(new RegExp(says));
    const tabs = page.locator('[data-card] .tab');
    const cards = await page.locator('button[data-card][aria-disabled="false"]').count();
    expect(cards).toBeGreaterThan(10);
    await expect(tabs).toHaveCount(cards);
    for (const tab of await tabs.allTextContents()) expect(tab.trim()).toMatch(new RegExp(`^★?~?${POINTS}$`));
    expect((await tabs.allTextContents()).filter((tab) => tab.includes('~')).length).toBeGreaterThan(5);
    await expect(page.locator('.tab.best').first()).toBeVisible();
    // The list of actions shows estimates with their proved bounds, and begins with the action that has the best
    // estimate.
    const rows = page.getByTestId('actions').getByRole('button');
    await expect(rows.first()).toHaveText(new RegExp(`★\\s*~?${POINTS}`));
    const bounded = rows.filter({ hasText: '…' });
    expect(await bounded.count()).toBeGreaterThan(5);
    for (const row of await bounded.allTextContents())
      expect(row.replace(/\s+/g, ' ')).toMatch(new RegExp(`~${POINTS} ${POINTS} … ${POINTS}`));
    // The principal variation on the page is marked as an estimate, and begins with a best action.
    const line = page.getByTestId('line');
    await expect(line.getByRole('heading')).toHaveText(estimated);
    expect(await line.getByRole('button').count()).toBeGreaterThan(1);
    const best = await page
      .locator('[data-card]:has(.tab.best)')
      .evaluateAll((cards) => cards.map((card) => card.getAttribute('data-card')));
    await line.getByRole('button').first().click();
    await expect
      .poll(async () => best.includes(await page.locator('[data-played="lead"]').getAttribute('data-card')))
      .toBe(true);
    // The analysis of a solved deal shows no estimates.
    await page.goto('/analysis?rules=bga&deal=20010');
    await expect(tabs).toHaveCount(10);
    for (const tab of await tabs.allTextContents()) expect(tab.trim()).toMatch(new RegExp(`^★?${POINTS}$`));
    await expect(line.getByRole('heading')).toHaveText(proved);
  });
}

test('the analysis of rules with a card face down says that its values assume open cards', async ({
  page
}) => {
  await page.goto('/analysis?rules=denexa&deal=20010');
  await expect(page.getByTestId('value')).toHaveText('First wins 16 points with best play by both.');
  await expect(page.getByTestId('open-cards')).toContainText('These values assume open cards');
  await page.goto('/analysis?rules=sackson&deal=20010');
  await expect(page.getByTestId('value')).toContainText('First wins 16 points');
  await expect(page.getByTestId('open-cards')).toHaveCount(0);
});

test('an analysis and the privacy facts that were not received are requested again', async ({
  page,
  watch
}) => {
  watch.allow(/ERR_FAILED/);
  for (const [path, request, shown] of [
    ['/analysis?rules=bga%2Bpinochle&deal=123456789012', '**/api/v1/analysis', 'value'],
    ['/privacy', '**/api/v1/privacy', 'privacy']
  ] as const) {
    await page.route(request, (route) => route.abort());
    await page.goto(path);
    await focusOn(page.getByRole('button', { name: 'Try again' }));
    await page.unroute(request);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId(shown)).toBeVisible();
    await expect(page.getByTestId('problem')).toHaveCount(0);
  }
});

test('the Back button undoes an action together with the answer of the perfect side', async ({ page }) => {
  await page.goto('/analysis?rules=bga&deal=20010&perfect=second');
  await page.getByTestId('actions').getByRole('button').first().click();
  await expect(page).toHaveURL(/line=\w+%2C\w+/);
  await page.goBack();
  await expect(page).toHaveURL(/perfect=second$/);
  await expect(page).not.toHaveURL(/line=/);
  await page.goForward();
  await expect(page).toHaveURL(/line=\w+%2C\w+/);
});

test('the Back button of an analysis of a position passes the answers of the perfect side', async ({
  page
}) => {
  await page.goto('/analysis?rules=bga&deal=20010');
  const position = await page.getByRole('textbox', { name: 'Position', exact: true }).inputValue();
  const line = () => new URL(page.url()).searchParams.get('line')?.split(',') ?? [];
  /** Plays the first action in the list, and waits until it is the viewer's turn again. Returns the line of actions. */
  const act = async () => {
    const before = line().length;
    await page.getByTestId('actions').getByRole('button').first().click();
    await expect.poll(() => line().length).toBeGreaterThan(before + 1);
    await expect(page.locator('.columns')).toHaveAttribute('aria-busy', 'false');
    return line();
  };
  await page.goto(`/analysis?${new URLSearchParams({ rules: 'bga', position, perfect: 'second' })}`);
  const first = await act();
  await act();
  for (const expected of [first, []]) {
    await page.getByTestId('back').click();
    await expect.poll(line).toEqual(expected);
    await expect(page.locator('.columns')).toHaveAttribute('aria-busy', 'false');
    expect(line()).toEqual(expected);
  }
});

test('an address with an unknown rule set blames the rule set, and leaves the form open', async ({
  page,
  watch
}) => {
  watch.allow(/status of 400/);
  await page.goto('/analysis?rules=nope&deal=5');
  await expect(page.getByTestId('problem')).toContainText('There is no rule set with this name.');
  await expect(page.getByTestId('choose-deal').locator('select[name="rules"]')).toHaveValue('bga');
});

test('the dialog for another deal keeps a refused position, and closes over the new board', async ({
  page,
  watch
}) => {
  watch.allow(/status of 400/);
  await page.goto('/analysis?rules=bga&deal=20010');
  await page.getByRole('button', { name: 'Choose a deal' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('From a position').check();
  const position = dialog.getByLabel('The position in one line');
  await position.fill('no position');
  await page.getByTestId('analyse').click();
  await expect(dialog.getByTestId('problem')).toBeInViewport();
  await expect(position).toHaveValue('no position');
  await position.fill('AcTc7s/KcQs7h first -/- - -');
  await page.getByTestId('analyse').click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId('problem')).toHaveCount(0);
  await expect(page.getByTestId('value')).toBeVisible();
});

test('a record with its own rule set is refused with a reason, also under the name of a published rule set', async ({
  page
}) => {
  await page.goto('/analysis');
  await page.getByLabel('From a record').check();
  for (const name of ['own', 'bga']) {
    await page
      .getByLabel('The text of the record')
      .fill(`[Rules "${name}"]\n[RuleSet "name = \\"${name}\\""]\n[Deals "1,2"]\nGame 1: A leads *`);
    await page.getByTestId('analyse').click();
    await expect(page.getByTestId('problem')).toContainText('contains its own rule set');
    await expect(page).toHaveURL('/analysis');
  }
});
