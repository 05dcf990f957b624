// Defines the blocks that the build makes from the Markdown of the guide.
import type { Value } from '$lib/api/types';

/** Deal in the guide, with data from the output of `overmate solve --json`. */
export interface GuideDeal {
  rules: string;
  deal: string;
  /** Dealt hand of seat *first*, in notation. */
  first: string[];
  second: string[];
  /** Actions between the deal and the shown position, in notation. */
  after: string[];
  to_act: 'first' | 'second';
  actions: { action: string; value_for_first: Value }[];
  /** Principal variation from the shown position, in notation. */
  line: string[];
}

/** Kind of a table in the guide: a table of words, a score sheet to fill in, or the rule sets side by side. */
export type TableKind = 'table' | 'score sheet' | 'rule sets';

export type Block =
  | { kind: 'heading'; level: number; text: string; anchor: string }
  | { kind: 'text' | TableKind; html: string }
  | { kind: 'deal'; deal: GuideDeal };
