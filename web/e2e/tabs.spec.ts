// Tests a match that one player has open in two tabs of a browser.
import { newMatch } from './support/api';
import { expect, test } from './support/test';
import { Table } from './support/table';

test('two tabs of one player agree, and one of two conflicting actions counts', async ({ page, context }) => {
  const match = await newMatch(context, {
    rules: 'bga',
    opponent: { kind: 'both' },
    deal: '20010',
    lead: 'me'
  });
  const one = await Table.open(page, match.id);
  const other = await context.newPage();
  // While `keepBack` is true, messages about changes of the match reach the player's second tab late, as over a slow
  // network.
  let keepBack = false;
  const kept: (() => void)[] = [];
  await other.routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const pass = () => socket.send(message);
      if (keepBack && String(message).startsWith('{"t":"changed"')) kept.push(pass);
      else pass();
    });
  });
  const two = await Table.open(other, match.id);
  await two.turn();

  await one.play(([action]) => action);
  await expect(two.log).toHaveCount(1);
  await two.play(([action]) => action);
  await expect(one.log).toHaveCount(2);

  await one.turn();
  await two.turn();
  keepBack = true;
  const { legal } = (await one.state()).current;
  const [mine, yours] = [legal[0], legal[1]];
  if (!mine || !yours) throw new Error('the deal leaves fewer than two legal actions');
  await one.act(mine);
  await two.begin(yours);
  await expect(
    other.getByRole('alert').filter({ hasText: 'The match has gone on in the meantime' })
  ).toBeVisible();
  keepBack = false;
  for (const pass of kept) pass();

  const { steps } = (await one.state()).current;
  expect(steps.map(({ card }) => card)[2]).toBe(mine.card);
  expect(steps).toHaveLength(3);
  for (const table of [one, two]) await expect(table.log).toHaveCount(3);
  expect(await two.log.allInnerTexts()).toEqual(await one.log.allInnerTexts());
});
