// Holds the state of a rule set form, and loads the facts of the chosen rule set from the server.
import type { RuleFacts, VariationSummary } from '$lib/api/types';
import { factsOf } from '$lib/game/facts';
import type { Catalogue } from './catalogue.svelte';
import { choiceOf, conflictsOf, nameOfRules, type Choice } from './choice';

export class RuleChoice {
  #last: Choice;
  /**
   * Base rule set, deck and variations of the rule set that the parent component gives to the form. If the form cannot
   * express the rule set, the previous choices stay.
   */
  #given = $derived.by(() => {
    const sets = this.catalogue.sets;
    this.#last = (sets && choiceOf(sets, this.given())) ?? this.#last;
    return this.#last;
  });

  // The following three fields hold the choices in the rule set form. A new rule set from the parent component replaces
  // the assigned values.
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

  /** Name of the rule set that is chosen in the form. */
  rules = $derived.by(() => (this.catalogue.sets ? nameOfRules(this.catalogue.sets, this) : this.base));

  /** Chosen variations of the rule set that conflict with each other. */
  conflicts = $derived.by<VariationSummary[]>(() =>
    this.catalogue.sets ? conflictsOf(this.catalogue.sets, this) : []
  );

  /** Data of the chosen rule set; null before the server's response. */
  facts = $derived.by(() => (this.#answer?.rules === this.rules ? this.#answer.facts : null));

  /** Highest deal number of the chosen rule set; null before the server's response. */
  lastDeal = $derived.by(() => this.facts && BigInt(this.facts.deals) - 1n);

  /**
   * Returns whether a text is empty, or contains a deal number of the chosen rule set. The number may contain
   * separators. While the rule set is not loaded, every number is accepted.
   */
  hasDeal(text: string): boolean {
    if (/[^\d\s.,’']/.test(text)) return false;
    const digits = digitsOf(text);
    return this.lastDeal === null || digits === '' || BigInt(digits) <= this.lastDeal;
  }

  /**
   * Loads the data of the chosen rule set from the server. Must be called in an effect. The returned function
   * discards a response that arrives after the choice has changed or the page has left the form.
   */
  load(): (() => void) | undefined {
    const { rules } = this;
    if (!this.catalogue.sets || this.conflicts.length > 0) return undefined;
    let wanted = true;
    factsOf(rules).then(
      (facts) => {
        if (wanted) this.#answer = { rules, facts };
      },
      // An error of the request for the rule set's data is ignored. Without the facts, the server checks the deal
      // number.
      () => {}
    );
    return () => (wanted = false);
  }
}

/** Returns the digits of a deal number, which a person may have written with separators. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
