// Requests the facts of each rule set from the server once.
import { ruleFacts } from '$lib/api/api';
import type { RuleFacts } from '$lib/api/types';

const known = new Map<string, Promise<RuleFacts>>();

/** Reads the facts of a rule set from the server once; only a failed request is repeated at the next call. */
export function factsOf(rules: string): Promise<RuleFacts> {
  const before = known.get(rules);
  if (before) return before;
  const asked = ruleFacts(rules);
  known.set(rules, asked);
  asked.catch(() => known.delete(rules));
  return asked;
}
