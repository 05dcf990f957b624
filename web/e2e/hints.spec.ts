// Tests hints at the game table, and the offer of a stronger computer opponent after two wins in a row.
import { newMatch, stateOf } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

test('a hint shows the values on the cards and one sentence, and can be hidden', async ({
  page,
  context
}) => {
  const match = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' }, deal: '20010' });
  const table = await Table.open(page, match.id);
  await table.turn();
  await page.getByTestId('hint').click();
  const marked = page.locator('button[data-card] .tab');
  await expect(marked).toHaveCount(match.current.legal.length);
  await expect(page.locator('button[data-card] .tab.best').first()).toContainText('★');
  await expect(page.getByTestId('status')).toContainText(/Best|keep|mates/);
  await page.getByTestId('hint').click();
  await expect(marked).toHaveCount(0);
  await expect(page.getByTestId('status')).toContainText('Your lead');
});

test('after two wins in a row against a level the next level is offered', async ({ page, context }) => {
  // With hints the test wins two matches in a row against level 1. The matches take long.
  test.slow();
  let won = 0;
  for (let attempt = 0; attempt < 12 && won < 2; attempt += 1) {
    let state = await newMatch(context, { rules: 'bga', opponent: { kind: 'level', level: 1 }, lead: 'me' });
    const { id } = state;
    while (!state.result) {
      state = await stateOf(context, id);
      const { legal } = state.current;
      if (state.result || legal.length === 0) continue;
      const hint = await context.request.post(`/api/v1/matches/${id}/hint`, {
        data: { client_id: crypto.randomUUID() }
      });
      const { actions } = (await hint.json()) as { actions: { action: string; best: boolean }[] };
      const { sequence } = await stateOf(context, id);
      const action = actions.find(({ best }) => best)?.action;
      await context.request.post(`/api/v1/matches/${id}/actions`, {
        data: { sequence, action, client_id: crypto.randomUUID() }
      });
    }
    won = state.result.winner === state.you ? won + 1 : 0;
    await Table.open(page, id);
    await expect(page.getByTestId('result')).toBeVisible();
    if (won === 1) await expect(page.getByTestId('next-level')).toHaveCount(0);
  }
  expect(won).toBe(2);
  await page.getByTestId('next-level').click();
  await expect(page.getByTestId('status')).toContainText('A new match');
  const table = await Table.arrived(page);
  expect((await table.state()).players.b.level).toBe(2);
});
