// Converts the choices in a rule set form to the name of a rule set, and back.
import type { RuleSets, VariationSummary } from '$lib/api/types';

export interface Choice {
  base: string;
  /** Name of the chosen deck variation; empty for the deck of the base rule set. */
  deck: string;
  /** Names of the chosen variations that do not change the deck. */
  variations: string[];
}

/**
 * Returns the name of the rule set that consists of the chosen base rule set, deck and variations. Omits variations
 * that change nothing in the base rule set.
 */
export function nameOfRules(sets: RuleSets, choice: Choice): string {
  const idle = sets.rule_sets.find(({ id }) => id === choice.base)?.idle ?? [];
  const chosen = chosenOf(sets, choice).filter(({ id }) => !idle.includes(id));
  return [choice.base, ...chosen.map(({ id }) => id)].join('+');
}

/**
 * Converts the name of a rule set to the base rule set, deck and variations for a form. Returns null if the form
 * cannot express the rule set.
 */
export function choiceOf(sets: RuleSets, rules: string): Choice | null {
  const [base = '', ...parts] = rules.split('+');
  const known = sets.variations.filter(({ id }) => parts.includes(id));
  const decks = known.filter(({ deck }) => deck);
  if (!sets.rule_sets.some(({ id }) => id === base) || known.length !== parts.length || decks.length > 1)
    return null;
  return {
    base,
    deck: decks[0]?.id ?? '',
    variations: known.filter(({ deck }) => !deck).map(({ id }) => id)
  };
}

/** Returns the chosen rule variations that conflict with each other, in the order of `sets.variations`. */
export function conflictsOf(sets: RuleSets, choice: Choice): VariationSummary[] {
  const chosen = chosenOf(sets, choice);
  const conflicts = sets.rule_sets.find(({ id }) => id === choice.base)?.conflicts ?? [];
  const both = conflicts.filter(({ a, b }) => [a, b].every((name) => chosen.some(({ id }) => id === name)));
  return chosen.filter(({ id }) => both.some(({ a, b }) => id === a || id === b));
}

function chosenOf(sets: RuleSets, { deck, variations }: Choice): VariationSummary[] {
  return sets.variations.filter(({ id }) => id === deck || variations.includes(id));
}
