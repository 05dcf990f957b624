// Defines the blocks that the build makes from the Markdown of the guide.
import type { Value } from '$lib/api/types';

/** Deal in the guide, with the output of `overmate solve --json`. */
export interface GuideDeal {
  rules: string;
  deal: string;
  /** Dealt hand of seat *first*, in notation. */
  first: string[];
  second: string[];
  /** Actions from the deal to the shown position, in notation. */
  after: string[];
  to_act: 'first' | 'second';
  actions: { action: string; value_for_first: Value }[];
  /** Principal variation from the shown position. */
  line: string[];
}

export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string }
  | { kind: 'text' | 'table' | 'score sheet'; html: string }
  | { kind: 'deal'; deal: GuideDeal }
  | { kind: 'rule sets' };
