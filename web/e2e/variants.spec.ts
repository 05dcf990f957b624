// Tests features that only some rule sets have, such as the free move, the demand and the chess deck. The
// form that chooses rule sets is tested too.
import { newMatch } from './support/api';
import { expect, test } from './support/test';
import { openForm, Table } from './support/table';

test('a free move is an action of its own, offered until it is used', async ({ page, context }) => {
  const match = await newMatch(context, {
    rules: 'bga+free-move',
    opponent: { kind: 'both' },
    deal: '20010'
  });
  const table = await Table.open(page, match.id);
  let used = '';
  while (!used) {
    const turn = await table.play((legal) => {
      const free = legal.find(({ kind }) => kind === 'free');
      used = free?.card ?? '';
      return free ?? legal[0];
    });
    expect(turn, 'the deal offers a free move').toBe('act');
  }
  await expect(table.log.last()).toContainText('uses the free move');
  await expect(page.getByText('Free move: used')).toBeVisible();
  await expect(await table.moves()).toContainText(`*`);
  await page.keyboard.press('Escape');

  // After the free move is used, the page offers no second free move.
  let turns = 0;
  while ((await table.turn()) === 'act') {
    await table.play((legal) => {
      expect(legal.map(({ kind }) => kind)).not.toContain('free');
      return legal[0];
    });
    turns += 1;
  }
  expect(turns).toBeGreaterThan(0);
});

test('with Rael’s deck a piece is sacrificed, and a king demands a king', async ({ page, context }) => {
  const match = await newMatch(context, {
    rules: 'rael+kings-privilege',
    opponent: { kind: 'both' },
    deal: '20010',
    lead: 'me'
  });
  const table = await Table.open(page, match.id);
  const board = page.getByTestId('board');
  await expect(board.locator('[data-card]')).toHaveCount(20);
  const values = { king: 11, queen: 10, rook: 7, bishop: 4, knight: 3 };
  for (const colour of ['blue', 'green', 'yellow', 'red']) {
    for (const [piece, points] of Object.entries(values)) {
      const name = new RegExp(`^${colour} ${piece}, ${points} points`);
      await expect(board.getByRole('button', { name }).or(board.getByRole('img', { name }))).toHaveCount(1);
    }
  }

  await table.play((legal) => legal.find(({ kind }) => kind === 'foreplace'));
  await expect(page.getByTestId('side-first')).toContainText('Out of play');
  await table.play((legal) => legal.find(({ kind }) => kind === 'decline'));

  let demanded = '';
  while (!demanded) {
    const turn = await table.play((legal) => {
      const demand = legal.find(({ kind }) => kind === 'demand');
      demanded = demand?.card ?? '';
      return demand ?? legal[0];
    });
    expect(turn, 'somebody leads a King').toBe('act');
  }
  const lead = board.locator(`[data-played="lead"][data-card="${demanded}"]`);
  await expect(lead).toContainText('demands king');
  await expect(lead).toHaveAttribute('aria-label', /, demands king/);
  if ((await table.turn()) === 'act') {
    const { legal } = (await table.state()).current;
    const kings = legal.filter(({ card }) => card?.startsWith('K'));
    expect(kings.length === 0 || kings.length === legal.length).toBe(true);
  }
});

test('the form refuses variations that conflict and deals that do not exist, and names them', async ({
  page
}) => {
  const form = await openForm(page);
  const start = page.getByTestId('start');
  await expect(form).toContainText('From 0 to 184,755');
  for (const [text, exists] of [
    ['184,755', true],
    ['184,756', false],
    ['12', true],
    ['12a3', false],
    ['', true],
    ['-1', false]
  ] as const) {
    await form.getByLabel('Deal number').fill(text);
    await expect(form.getByText('There is no such deal')).toHaveCount(exists ? 0 : 1);
    await expect(start).toBeEnabled({ enabled: exists });
  }
  await form.getByLabel('Deal number').fill('');
  await form.getByRole('checkbox', { name: 'Figure privilege' }).check();
  await form.getByRole('radio', { name: 'Double deck' }).check();
  await expect(form.getByTestId('unfit')).toHaveText(
    'These variations do not go together: double deck, figure privilege.'
  );
  await expect(start).toBeDisabled();
  await form.getByRole('radio', { name: '48 cards' }).check();
  await expect(form.getByTestId('unfit')).toHaveText('');
  await expect(start).toBeEnabled();
});

test('the analysis takes every deck and variation', async ({ page }) => {
  await page.goto('/analysis');
  const form = page.getByTestId('choose-deal');
  await form.getByRole('combobox', { name: 'Rules' }).selectOption('rael');
  await form.getByRole('radio', { name: 'Double deck' }).check();
  await form.getByRole('checkbox', { name: 'Free move' }).check();
  await form.getByLabel('Deal number').fill('20010');
  await page.getByTestId('analyse').click();
  await expect(page.getByTestId('value')).toBeVisible();
  await expect(page).toHaveURL(/rules=rael%2Bdouble%2Bfree-move/);
  // The form for choosing a deal shows the rule set that the page URL names.
  await page.goto('/analysis?rules=bga%2Bkings-privilege&deal=37047&line=Ks');
  await expect(page.getByTestId('value')).toBeVisible();
  await page.getByRole('button', { name: 'Choose a deal' }).click();
  await expect(form.getByRole('checkbox', { name: 'King’s privilege' })).toBeChecked();
  await expect(form.getByRole('combobox', { name: 'Rules' })).toHaveValue('bga');
});
