// What the server says about a rule set, asked for once.
import { ruleFacts } from '$lib/api/api';
import type { RuleFacts } from '$lib/api/types';

const known = new Map<string, Promise<RuleFacts>>();

/** The facts of a rule set; a failure is not remembered. */
export function factsOf(rules: string): Promise<RuleFacts> {
  const before = known.get(rules);
  if (before) return before;
  const asked = ruleFacts(rules);
  known.set(rules, asked);
  asked.catch(() => known.delete(rules));
  return asked;
}
