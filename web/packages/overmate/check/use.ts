// Checks that TypeScript code can use the installed package. The lines under `@ts-expect-error` must not compile.
import { EngineFault, loadEngine, type Analysis, type Hint, type OwnMatch, type Review } from 'overmate';

const engine = await loadEngine(new URL('file:///overmate.wasm'));

const analysis: Analysis | null = engine.ask('analyse', { rules: 'sackson', deal: '20010' });
const exact: number | null | undefined = analysis?.value_for_first.exact;
const values: Map<string, number> = new Map(
  analysis?.actions.map(({ action, value_for_first }) => [action, value_for_first.low])
);
const points: string[] = engine.ask('rule_sets', {}).rule_sets.map(({ id }) => id);
const kept: OwnMatch = engine.ask('begin', {
  id: 'one',
  created_at: '2026-11-22T12:00:00Z',
  rules: 'bga',
  opponent: 'perfect',
  leads: false,
  deal: null,
  name: null,
  deal_seed: '1',
  bot_seed: '2'
}).match;
const record: string = engine.ask('record', { match: kept });
const review: Review | null = engine.ask('review', { record, game: 0 });
const hint: Hint | null = engine.ask('hint', { game: { rules: 'bga', deal: '1' }, sequence: 0 });
const fault: Error = new EngineFault('text');

// @ts-expect-error: the result may be null.
const unchecked = engine.ask('analyse', { rules: 'bga', deal: '1' }).value_for_first;
// @ts-expect-error: the engine has no such request.
engine.ask('solve', {});
// @ts-expect-error: a deal is a text.
engine.ask('analyse', { rules: 'bga', deal: 1 });
// @ts-expect-error: there is no such step.
engine.ask('play', { match: kept, step: 'wait' });

export { exact, values, points, review, hint, fault, unchecked };
