// Tests a match against an opponent program of the operator: the program is chosen and answers, and a missing program
// is reported.
import { join } from 'node:path';
import { act } from './support/api';
import { Server } from './support/server';
import { expect, test } from './support/test';
import { openForm, Table } from './support/table';

/** Command-line option with which the server offers the documentation's example bot as an opponent. */
const OFFER = ['--program', `mine=python3 ${join(import.meta.dirname, '../../docs/examples/bot.py')}`];

/** Timeout for the reconnection of a page, and for the takeover of a killed server's work by a new server. */
const PATIENCE = { timeout: 30_000 };

test('a program is chosen as the opponent, answers, and is missed after a restart without it', async ({
  browser
}) => {
  const server = new Server();
  await server.start(OFFER);
  try {
    const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
    const page = await context.newPage();
    const form = await openForm(page);
    const choice = form.getByRole('radio', { name: 'Program mine' });
    await choice.check();
    await expect(choice).toBeChecked();
    await expect(form.getByRole('radio', { name: 'The computer', exact: true })).not.toBeChecked();
    await expect(form.getByTestId('play-here')).toHaveCount(0);
    await form.getByTestId('start').click();
    const table = await Table.arrived(page);
    await expect(page.getByText('Program mine').first()).toBeVisible();
    expect((await table.state()).players.b).toMatchObject({ kind: 'program', name: 'mine' });
    await table.play((legal) => legal[0]);
    // The opponent program answers the player's lead.
    await expect.poll(async () => (await table.state()).current.steps.length).toBeGreaterThan(1);
    await expect.poll(() => table.log.count()).toBeGreaterThan(1);

    await server.kill();
    await server.start();
    let state = await table.state();
    while (state.current.legal.length > 0) {
      state = await act(context, state, state.current.legal[0]?.action ?? '');
    }
    const missing = page.getByTestId('missing-program');
    await expect(missing).toContainText('does not offer the program mine', PATIENCE);
    await server.kill();
    await server.start(OFFER);
    await expect(missing).toHaveCount(0, PATIENCE);
    await expect.poll(async () => (await table.state()).sequence, PATIENCE).toBeGreaterThan(state.sequence);
    await context.close();
  } finally {
    await server.end();
  }
});

test('a server without programs offers none', async ({ page }) => {
  const form = await openForm(page);
  const asked = await page.request.get('/api/v1/programs');
  expect(await asked.json()).toEqual({ programs: [] });
  await expect(form.getByRole('radio', { name: /^The computer/ })).toHaveCount(2);
  await expect(form.getByRole('radio', { name: /^Program/ })).toHaveCount(0);
});
