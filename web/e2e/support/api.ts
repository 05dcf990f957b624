// Sends HTTP requests of the browser tests directly to the server, without a page. Tests prepare matches with these
// requests, and compare pages with the server's data.
import { expect, type BrowserContext } from '@playwright/test';
import { randomInt, randomUUID } from 'node:crypto';
import type { components } from '../../src/lib/api/schema';

type Schemas = components['schemas'];
export type MatchState = Schemas['MatchState'];
export type GameState = Schemas['GameState'];
export type NewMatch = Schemas['NewMatch'];
export type LegalAction = Schemas['LegalAction'];
export type Hint = Schemas['Hint'];

async function post<Answer>(context: BrowserContext, path: string, data: unknown): Promise<Answer> {
  const response = await context.request.post(`/api/v1${path}`, { data });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return (await response.json()) as Answer;
}

/** Creates a match on behalf of a browser's player. */
export const newMatch = (context: BrowserContext, match: NewMatch): Promise<MatchState> =>
  post(context, '/matches', match);

/** Returns the state of a match as the server shows the match to a browser's player. */
export async function stateOf(context: BrowserContext, id: string): Promise<MatchState> {
  const response = await context.request.get(`/api/v1/matches/${id}`);
  expect(response.ok(), await response.text()).toBe(true);
  return (await response.json()) as MatchState;
}

/** Returns the game record of a match. */
export async function recordOf(context: BrowserContext, id: string): Promise<string> {
  const response = await context.request.get(`/api/v1/matches/${id}/record`);
  expect(response.ok(), await response.text()).toBe(true);
  return response.text();
}

/** Joins a match by its invitation on behalf of a browser's player. */
export const join = (context: BrowserContext, { invitation }: MatchState): Promise<MatchState> =>
  post(context, (invitation ?? '').replace('/join/', '/invitations/'), {});

/** Password of the accounts that `signUp` creates. */
export const PASSWORD = 'correct horse battery';

/** Creates an account for a browser, and returns the account's handle. The handle begins with the given name. */
export async function signUp(context: BrowserContext, name: string): Promise<string> {
  const handle = `${name}-${randomInt(1_000_000)}`;
  await post(context, '/me/account', { handle, password: PASSWORD });
  return handle;
}

/** Plays an action in a match on behalf of a browser's player. */
export const act = (context: BrowserContext, state: MatchState, action: string): Promise<MatchState> =>
  post(context, `/matches/${state.id}/actions`, {
    sequence: state.sequence,
    action,
    client_id: randomUUID()
  });

/**
 * Requests a hint in a match on behalf of a browser's player. With `values` false, the server records the hint and
 * returns no values.
 */
export const hintIn = (
  context: BrowserContext,
  id: string,
  client_id: string,
  values: boolean
): Promise<Hint> => post(context, `/matches/${id}/hint`, { client_id, values });

/** Undoes the last action in a match on behalf of a browser's player. */
export const undo = (context: BrowserContext, id: string): Promise<MatchState> =>
  post(context, `/matches/${id}/undo`, { client_id: randomUUID() });

/** Resigns a match on behalf of a browser's player. */
export const resign = (context: BrowserContext, id: string): Promise<MatchState> =>
  post(context, `/matches/${id}/resign`, { client_id: randomUUID() });

/** Returns a best action in the current game, according to the server's analysis. */
export async function best(context: BrowserContext, { rules, current }: MatchState): Promise<string> {
  const actions = current.steps.map(({ text }) => text);
  const analysis: Schemas['Analysis'] = await post(context, '/analysis', {
    rules,
    deal: current.deal,
    actions
  });
  return analysis.actions.find(({ best }) => best)?.action ?? '';
}

/** Plays the first legal action of each turn for both sides, until the predicate `enough` holds. */
export async function playBoth(
  context: BrowserContext,
  state: MatchState,
  enough: (state: MatchState) => boolean
): Promise<MatchState> {
  while (!enough(state) && !state.result) {
    const [first] = state.current.legal;
    expect(first, 'somebody can act').toBeTruthy();
    state = await act(context, state, first?.action ?? '');
  }
  return state;
}

/** Plays `count` actions in a match between several browsers. Returns the match as the first browser sees it. */
export async function playInTurn(
  players: [BrowserContext, ...BrowserContext[]],
  id: string,
  count: number,
  pick: (legal: LegalAction[]) => LegalAction | undefined = ([first]) => first
): Promise<MatchState> {
  for (let taken = 0; taken < count;) {
    for (const player of players) {
      if (taken === count) break;
      const state = await stateOf(player, id);
      expect(state.result, 'somebody can act').toBeFalsy();
      const action = pick(state.current.legal)?.action;
      if (!action) continue;
      await act(player, state, action);
      taken += 1;
    }
  }
  return stateOf(players[0], id);
}

/** Plays a match against a computer opponent to its end. The player chooses the last legal action at each turn. */
export async function finish(context: BrowserContext, id: string): Promise<MatchState> {
  for (;;) {
    const state = await stateOf(context, id);
    if (state.result) return state;
    const { to_act, first } = state.current;
    const action = state.current.legal.at(-1)?.action;
    if (action && to_act !== null && (to_act === 'first') === (first === state.you))
      await act(context, state, action);
    else await context.request.get(`/api/v1/matches/${id}?after=${state.sequence}&wait=5`);
  }
}
