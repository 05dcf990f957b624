// Defines the blocks that the build makes from the Markdown of the guide.
import type { Value } from '$lib/api/types';

/** Deal of the guide with the value of every action, as `overmate solve --json` prints a deal. */
export interface GuideDeal {
  rules: string;
  deal: string;
  /** Dealt hands of both seats, in notation. */
  first: string[];
  second: string[];
  /** Actions between the deal and the shown position, in notation. */
  after: string[];
  to_act: 'first' | 'second';
  actions: { action: string; value_for_first: Value }[];
  /** Principal variation: the actions of best play from the shown position. */
  line: string[];
}

export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string }
  | { kind: 'text' | 'table' | 'score sheet'; html: string }
  | { kind: 'deal'; deal: GuideDeal }
  | { kind: 'rule sets' };
