// Keeps matches against the computer in the page: the engine applies the rules, and the browser's database keeps
// the matches.
import { asProblem, Problem } from '$lib/api/problem';
import type { MatchState, NewMatch } from '$lib/api/types';
import { askEngine, Refused } from '$lib/engine/client';
import type { Listener, MatchConnection } from '$lib/game/connection';
import type { Keeper } from '$lib/game/keeper';
import type { OwnStep, Played, RequestName, RequestOf, ResultOf } from 'overmate/requests';
import { canPlayHere, hasOfflinePlay, noEngine } from './ability';
import { channel, handIn } from './handin.svelte';
import { newId } from './ids';
import { allRows, readRow, removeRow, writeRow, type Row } from './store';

/** Sends a request to the engine, and converts a fault of the engine to a `Problem` with the given code. */
async function ask<Name extends RequestName>(
  name: Name,
  request: RequestOf<Name>,
  code: string
): Promise<NonNullable<ResultOf<Name>>> {
  try {
    const answer = await askEngine(name, request);
    if (answer === null) throw new Problem('engine-failed', 'the engine did not load or has failed', 422);
    return answer;
  } catch (thrown) {
    if (thrown instanceof Refused) throw new Problem(code, thrown.message, 422);
    throw thrown;
  }
}

/** Returns a random seed: a whole number below 2^64, as a string. */
const seed = (): string => String(crypto.getRandomValues(new BigUint64Array(1))[0]);

async function rowOf(id: string): Promise<Row> {
  const row = await readRow(id);
  if (!row) throw new Problem('not-found', 'this browser has no such match', 404);
  return row;
}

/**
 * Latest change of each offline match, as a promise that settles at the end of the change, by the id of the match. A
 * change begins after the end of the previous change.
 */
const changes = new Map<string, Promise<unknown>>();

/** Runs a change of an offline match while no other call and no other tab changes the match. */
function alone<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
  // At an insecure address, browsers offer no locks (Web Locks API). A second tab then may lose an action.
  if (navigator.locks) return navigator.locks.request(`overmate.match.${id}`, change) as Promise<Result>;
  const next = (changes.get(id) ?? Promise.resolve()).then(change, change);
  changes.set(id, next);
  return next;
}

const listeners = new Map<string, Set<Listener>>();

function tell(state: MatchState): void {
  for (const { onstate } of listeners.get(state.id) ?? []) onstate(state);
}

channel?.addEventListener('message', ({ data }: MessageEvent<string>) => {
  if (!listeners.has(data)) return;
  // A failed read of a changed offline match is ignored, because another tab may have deleted the match.
  void stepOn(data, 'read').then(
    ({ state }) => tell(state),
    () => {}
  );
});

/** Executes a step, such as an action, in an offline match, and stores the new state of the match. */
function stepOn(id: string, step: OwnStep, code = 'not-allowed', client_id?: string): Promise<Played> {
  return alone(id, async () => {
    const row = await rowOf(id);
    const take = (step: OwnStep) => ask('play', { match: row.match, step }, code);
    if (client_id !== undefined && client_id === row.client_id) return take('read');
    if (typeof step === 'object' && step.act.sequence !== row.match.entries.length) {
      const { state } = await take('read');
      throw new Problem('conflict', 'the match has changed', 409, state);
    }
    const played = await take(step);
    if (played.match.entries.length !== row.match.entries.length) {
      const { match, summary } = played;
      // The match's row is read again before the write, so that a match that was deleted meanwhile does not come
      // back.
      await rowOf(id);
      await writeRow({ id, match, summary, client_id: client_id ?? row.client_id });
      if (summary.result) handIn.start();
      channel?.postMessage(id);
    }
    return played;
  });
}

/** Lets the computer opponent act until it is the person's turn, and reports each state to the listeners. */
async function answer(id: string): Promise<void> {
  for (let due = true; due;) {
    const played = await stepOn(id, 'answer');
    tell(played.state);
    due = played.due;
  }
}

/** Starts the turn of the computer opponent, if the opponent is to act. Returns the match state before the turn. */
function answered({ state, due }: Played): MatchState {
  // If an error interrupts the computer opponent's actions, the next read of the match starts them again. The listeners
  // receive the error with the match state, so that they do not read the match at once.
  if (due)
    void answer(state.id).catch((thrown: unknown) => {
      const { code, message, status } = asProblem(thrown);
      const problem = new Problem(code, message, status, state);
      for (const { onproblem } of listeners.get(state.id) ?? []) onproblem(problem, null);
    });
  return state;
}

/** Returns the name by which the engine knows a computer opponent. */
const botName = ({ kind, level }: { kind: string; level?: number | null }): string =>
  kind === 'level' ? `level:${level}` : 'perfect';

async function begin(match: NewMatch): Promise<MatchState> {
  if (!canPlayHere(match)) throw new Problem('not-allowed', 'the page plays only against the computer', 422);
  if (!hasOfflinePlay()) throw noEngine();
  const leads = match.lead === 'me' || (match.lead !== 'other' && Math.random() < 0.5);
  const request = {
    id: newId(),
    created_at: new Date().toISOString().replace(/\.\d+/, ''),
    rules: match.rules,
    opponent: botName(match.opponent),
    leads,
    deal: match.deal ?? null,
    name: match.names?.me ?? null,
    deal_seed: seed(),
    bot_seed: seed()
  };
  const played = await ask('begin', request, 'bad-request');
  await writeRow({ id: request.id, match: played.match, summary: played.summary, client_id: null });
  return answered(played);
}

async function rematch(id: string): Promise<MatchState> {
  const { summary } = await rowOf(id);
  const you = summary.you === 'b' ? 'b' : 'a';
  const other = summary.players[you === 'a' ? 'b' : 'a'];
  const { name } = summary.players[you];
  const begun = await begin({
    rules: summary.rules,
    opponent:
      other.kind === 'level' && other.level !== null
        ? { kind: 'level', level: other.level }
        : { kind: 'perfect' },
    lead: you === 'a' ? 'other' : 'me',
    ...(name !== null && { names: { me: name } })
  });
  const { state } = await stepOn(id, 'read');
  // The state of the finished match contains the id of the rematch, as on the server.
  return { ...state, rematch: { offered_by: you, match: begun.id } };
}

async function textOf(id: string): Promise<string> {
  return ask('record', { match: (await rowOf(id)).match }, 'not-allowed');
}

/** Connection to an offline match, which the page itself keeps. */
class PageConnection implements MatchConnection {
  constructor(
    private readonly id: string,
    private readonly listener: Listener
  ) {}

  start(): void {
    listeners.set(this.id, (listeners.get(this.id) ?? new Set()).add(this.listener));
    this.listener.onlink('here');
    void stepOn(this.id, 'read').then(answered, () => {});
  }

  stop(): void {
    const of = listeners.get(this.id);
    of?.delete(this.listener);
    if (of?.size === 0) listeners.delete(this.id);
  }

  /** Returns false, because an offline match has no WebSocket. The match receives actions as requests. */
  send(): boolean {
    return false;
  }

  wake(): void {}

  offline(): void {}
}

export const pageKeeper: Keeper = {
  begin,
  list: async () => (await allRows()).map(({ summary }) => summary),
  read: async (id) => answered(await stepOn(id, 'read')),
  act: async (id, { sequence, action, client_id }) =>
    answered(await stepOn(id, { act: { sequence, action } }, 'illegal-action', client_id)),
  undo: async (id) => answered(await stepOn(id, 'undo', 'nothing-to-undo')),
  hint: async ({ id }) => {
    const { hint } = await stepOn(id, 'hint');
    if (!hint) throw new Problem('not-your-turn', 'it is not your turn', 422);
    return hint;
  },
  resign: async (id) => (await stepOn(id, 'resign', 'match-over')).state,
  rematch: (id) => rematch(id),
  review: async ({ id }, game) => ask('review', { record: await textOf(id), game }, 'not-allowed'),
  remove: removeRow,
  record: async (id) => `data:text/plain;charset=utf-8,${encodeURIComponent(await textOf(id))}`,
  connect: (id, _watch, _timing, listener) => new PageConnection(id, listener)
};
