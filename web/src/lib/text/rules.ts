// Returns the title of a rule set in the reader's language.
import { catalogue } from '$lib/rules/catalogue.svelte';

/**
 * Returns the title of a rule set in the viewer's language. For a rule set that is not in the catalogue, returns the
 * title from the server.
 */
export function rulesTitle({ rules, rules_title }: { rules: string; rules_title: string }): string {
  return catalogue.title(rules) ?? rules_title;
}
