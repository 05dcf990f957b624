// Holds the catalogue of rule sets and variations, which is read once for all pages. The source is the server or,
// without a network, the engine in the page.
import { ruleSets } from '$lib/api/api';
import { asProblem, type Problem } from '$lib/api/problem';
import type { CatalogueTexts, RuleSets, RuleSummary, VariationSummary } from '$lib/api/types';
import { askEngine } from '$lib/engine/client';
import { getLocale } from '$lib/paraglide/runtime';

/** Name of the simplest rule set, which the page offers for a first match. */
export const FIRST_RULES = 'bga';

async function read(): Promise<RuleSets> {
  try {
    return await ruleSets();
  } catch (thrown) {
    const problem = asProblem(thrown);
    const sets = problem.passing ? await askEngine('rule_sets', {}).catch(() => null) : null;
    if (!sets) throw problem;
    return sets;
  }
}

export class Catalogue {
  /** Catalogue of rule sets and variations; null before the server's response. */
  sets = $state.raw<RuleSets | null>(null);
  problem = $state.raw<Problem | null>(null);
  #asked: Promise<void> | null = null;

  /** Published rule sets of the catalogue. The first rule set is the simplest. */
  bases = $derived.by<RuleSummary[]>(() => {
    const bases = this.sets?.rule_sets ?? [];
    return [...bases.filter(({ id }) => id === FIRST_RULES), ...bases.filter(({ id }) => id !== FIRST_RULES)];
  });
  /** Variations of the rules that replace the deck of a rule set. */
  decks = $derived.by<VariationSummary[]>(() => (this.sets?.variations ?? []).filter(({ deck }) => deck));
  /** Variations of the rules that leave the deck of a rule set unchanged. */
  variations = $derived.by<VariationSummary[]>(() =>
    (this.sets?.variations ?? []).filter(({ deck }) => !deck)
  );

  /** Loads the catalogue of rule sets, unless the catalogue is loaded or loading. */
  load(): Promise<void> {
    this.#asked ??= read().then(
      (sets) => {
        this.sets = sets;
        this.problem = null;
      },
      (thrown: unknown) => {
        this.#asked = null;
        this.problem = asProblem(thrown);
      }
    );
    return this.#asked;
  }

  /**
   * Returns the title of a rule set, such as `Sackson, double deck`. Returns null if a part of the name is
   * unknown.
   */
  title(rules: string): string | null {
    const texts = this.#textsOfParts(rules);
    return texts && texts.map(({ short }) => short).join(', ');
  }

  /**
   * Returns a text with one sentence on a rule set, and one sentence on each of its variations. Returns an empty string
   * if a part of the name is unknown.
   */
  summary(rules: string): string {
    const texts = this.#textsOfParts(rules) ?? [];
    return texts.map(({ summary }) => `${summary}.`).join(' ');
  }

  /**
   * Returns the catalogue texts of a rule set and of its variations. Returns null if a part of the rule set's name is
   * unknown.
   */
  #textsOfParts(rules: string): CatalogueTexts[] | null {
    const [base, ...parts] = rules.split('+');
    const entries = [
      this.bases.find(({ id }) => id === base),
      ...parts.map((part) => this.sets?.variations.find(({ id }) => id === part))
    ];
    const known = entries.filter((entry) => entry !== undefined);
    return known.length === entries.length ? known.map(textsOf) : null;
  }
}

/** Returns the title and the summary of a catalogue entry in the viewer's language. */
export function textsOf({ texts }: Pick<RuleSummary, 'texts'>): CatalogueTexts {
  return texts[getLocale()];
}

export const catalogue = new Catalogue();
