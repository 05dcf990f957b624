// Types of the blocks that the build makes from the Markdown of the guide.
import type { Value } from '$lib/api/types';

/** Deal of the guide with the value of every action: a line of `overmate solve --json`. */
export interface GuideDeal {
  rules: string;
  deal: string;
  /** Hands of both seats as dealt, in notation. */
  first: string[];
  second: string[];
  /** Actions from the deal to the shown position, in notation. */
  after: string[];
  to_act: 'first' | 'second';
  actions: { action: string; value_for_first: Value }[];
  /** Principal variation: actions of best play from the shown position on. */
  line: string[];
}

export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string }
  | { kind: 'text' | 'table' | 'score sheet'; html: string }
  | { kind: 'deal'; deal: GuideDeal }
  | { kind: 'rule sets' };
