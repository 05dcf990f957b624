// The choice of a rule set in a form, and what the server says about the chosen rule set.
import type { RuleFacts, VariationSummary } from '$lib/api/types';
import { factsOf } from '$lib/game/facts';
import type { Catalogue } from './catalogue.svelte';
import { choiceOf, conflictsOf, nameOfRules, type Choice } from './choice';

export class RuleChoice {
  #last: Choice;
  /** Choice that the given name stands for; a name that no form can put together leaves the previous choice. */
  #given = $derived.by(() => {
    const sets = this.catalogue.sets;
    this.#last = (sets && choiceOf(sets, this.given())) ?? this.#last;
    return this.#last;
  });

  // The form assigns these; a new given name replaces what was assigned.
  base = $derived(this.#given.base);
  deck = $derived(this.#given.deck);
  variations = $derived(this.#given.variations);

  #answer = $state.raw<{ rules: string; facts: RuleFacts } | null>(null);

  constructor(
    readonly catalogue: Catalogue,
    private readonly given: () => string
  ) {
    this.#last = { base: given(), deck: '', variations: [] };
  }

  /** Name of the chosen rule set. */
  rules = $derived.by(() => (this.catalogue.sets ? nameOfRules(this.catalogue.sets, this) : this.base));

  /** Chosen variations that do not go together. */
  conflicts = $derived.by<VariationSummary[]>(() =>
    this.catalogue.sets ? conflictsOf(this.catalogue.sets, this) : []
  );

  /** Facts of the chosen rule set; null until the server has answered. */
  facts = $derived.by(() => (this.#answer?.rules === this.rules ? this.#answer.facts : null));

  /** Last deal number of the rule set; null until the server has answered. */
  lastDeal = $derived.by(() => this.facts && BigInt(this.facts.deals) - 1n);

  /** Asks the server about the chosen rule set; to be called in an effect. */
  load(): void {
    const { rules } = this;
    if (!this.catalogue.sets || this.conflicts.length > 0) return;
    factsOf(rules).then(
      (facts) => {
        if (rules === this.rules) this.#answer = { rules, facts };
      },
      // Without facts the form leaves the check to the server.
      () => {}
    );
  }
}
