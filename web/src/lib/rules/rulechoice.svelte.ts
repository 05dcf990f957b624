// The rule set that a form puts together, and what the server says to it.
import { asProblem } from '$lib/api/problem';
import type { RuleFacts } from '$lib/api/types';
import { factsOf } from '$lib/game/facts';
import { choiceOf, nameOfRules, type Base, type Deck, type Variation } from './ruleset';

export class RuleChoice {
  base = $state<Base>('bga');
  deck = $state<Deck>('single');
  variations = $state<Variation[]>([]);
  /** The facts of the rule set; null while they are not known, or if there is no such rule set. */
  facts = $state.raw<RuleFacts | null>(null);
  /** The variations that do not go with the rest, if the server knows no such rule set; it may be none of them alone. */
  unfit = $state.raw<Variation[] | null>(null);

  constructor(rules = 'bga') {
    this.take(rules);
  }

  get rules(): string {
    return nameOfRules(this);
  }

  /** The last deal number of the rule set; null while it is not known. */
  get lastDeal(): bigint | null {
    return this.facts && BigInt(this.facts.deals) - 1n;
  }

  /** Takes over a rule set by its name; one that a form cannot put together changes nothing. */
  take(rules: string): void {
    const choice = choiceOf(rules);
    if (choice && rules !== this.rules) Object.assign(this, choice);
  }

  /** To be called in an effect: asks the server about what is chosen. */
  check(): void {
    const { base, deck, variations, rules } = this;
    const current = () => rules === this.rules;
    factsOf(rules).then(
      (facts) => {
        if (!current()) return;
        this.facts = facts;
        this.unfit = null;
      },
      async (thrown) => {
        if (!current()) return;
        this.facts = null;
        this.unfit = null;
        // Without an answer nothing is known; the server decides when it is asked for a match.
        if (asProblem(thrown).code !== 'bad-request') return;
        const fits = await Promise.all(
          variations.map((variation) =>
            factsOf(
              nameOfRules({ base, deck, variations: variations.filter((other) => other !== variation) })
            ).then(
              () => true,
              () => false
            )
          )
        );
        if (current()) this.unfit = variations.filter((_, at) => fits[at]);
      }
    );
  }
}
