// The facts of rule sets, requested from the server once.
import { ruleFacts } from '$lib/api/api';
import type { RuleFacts } from '$lib/api/types';

const known = new Map<string, Promise<RuleFacts>>();

/** Returns the facts of a rule set; a failed request is repeated at the next call. */
export function factsOf(rules: string): Promise<RuleFacts> {
  const before = known.get(rules);
  if (before) return before;
  const asked = ruleFacts(rules);
  known.set(rules, asked);
  asked.catch(() => known.delete(rules));
  return asked;
}
