// The title of a rule set in the reader's language.
import { catalogue } from '$lib/rules/catalogue.svelte';

/** Returns the title of a rule set; a rule set outside of the catalogue keeps the title that the server sent. */
export function rulesTitle({ rules, rules_title }: { rules: string; rules_title: string }): string {
  return catalogue.title(rules) ?? rules_title;
}
