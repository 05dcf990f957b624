// Requests the data of each rule set only once: from the server or, without a network, from the engine in the page.
import { ruleFacts } from '$lib/api/api';
import { asProblem } from '$lib/api/problem';
import type { RuleFacts } from '$lib/api/types';
import { askEngine } from '$lib/engine/client';

async function read(rules: string): Promise<RuleFacts> {
  try {
    return await ruleFacts(rules);
  } catch (thrown) {
    const problem = asProblem(thrown);
    const facts = problem.passing ? await askEngine('facts', { rules }).catch(() => null) : null;
    if (!facts) throw problem;
    return facts;
  }
}

const known = new Map<string, Promise<RuleFacts>>();

/**
 * Returns the data of a rule set, which the page requests only once. After a failed request, the next call repeats
 * the request.
 */
export function factsOf(rules: string): Promise<RuleFacts> {
  const before = known.get(rules);
  if (before) return before;
  const asked = read(rules);
  known.set(rules, asked);
  asked.catch(() => known.delete(rules));
  return asked;
}
