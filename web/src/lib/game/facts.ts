// Requests the facts of each rule set once from the server.
import { ruleFacts } from '$lib/api/api';
import type { RuleFacts } from '$lib/api/types';

const known = new Map<string, Promise<RuleFacts>>();

/**
 * Returns the facts of a rule set, requested from the server only once. After a failed request, the next call
 * repeats the request.
 */
export function factsOf(rules: string): Promise<RuleFacts> {
  const before = known.get(rules);
  if (before) return before;
  const asked = ruleFacts(rules);
  known.set(rules, asked);
  asked.catch(() => known.delete(rules));
  return asked;
}
