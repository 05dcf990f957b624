// Tests the coach, which explains a player's first match at the table. Each new topic gets one line, until
// the player dismisses the explanations.
import { newMatch } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

const MATCH = { rules: 'bga', opponent: { kind: 'both' as const }, deal: '20010', lead: 'me' as const };

test('a first match explains each new thing once, until the player has read enough', async ({
  page,
  context
}) => {
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('overmate.settings', JSON.stringify({ speed: 'none' })));
  const match = await newMatch(context, MATCH);
  const table = await Table.open(page, match.id);
  const coach = page.getByTestId('coach');
  await table.turn();
  await expect(coach).toHaveAttribute('data-topic', 'lead');
  await expect(coach.getByRole('img').first()).toBeVisible();
  // Each card shows how many cards can answer it, and this number equals the number in the server's state.
  const { legal } = (await table.state()).current;
  expect(legal).toHaveLength(10);
  for (const { card, answers } of legal)
    await expect(table.card(card ?? '').locator('.count')).toHaveText(
      new RegExp(`^${answers?.cards.length ?? 0} ?answers?$`)
    );
  await table.play(([first]) => first);
  await expect(coach).toHaveAttribute('data-topic', /suit|rank/);
  await expect(page.locator('.count')).toHaveCount(0);
  await table.turn();
  await table.play(([first]) => first);
  await expect(coach).toHaveAttribute('data-topic', 'winner');
  // After a reload, the coach explains the topic of the current position again, and no earlier topic.
  await page.reload();
  await expect(coach).toHaveAttribute('data-topic', 'winner');
  await table.turn();
  await table.play(([first]) => first);
  await page.reload();
  await table.turn();
  await expect(coach.and(page.locator('[data-topic="winner"], [data-topic="lead"]'))).toHaveCount(0);
});

test('the explanations can be dismissed and come back in the settings', async ({ page, context }) => {
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('overmate.settings', JSON.stringify({ speed: 'none' })));
  const table = await Table.open(page, (await newMatch(context, MATCH)).id);
  await table.turn();
  const coach = page.getByTestId('coach');
  await coach.getByRole('button', { name: 'No more explanations' }).click();
  await expect(coach).toHaveCount(0);
  await table.play(([first]) => first);
  await table.turn();
  await expect(coach).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('checkbox', { name: 'Explain new things' })).not.toBeChecked();
});
