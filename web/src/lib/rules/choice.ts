// A rule set as it is put together in a form, and its name.

export const BASES = ['bga', 'sackson', 'pagat', 'denexa', 'rael'] as const;
export type Base = (typeof BASES)[number];

export const DECKS = ['single', 'double', 'pinochle'] as const;
export type Deck = (typeof DECKS)[number];
export const VARIATIONS = ['free-move', 'kings-privilege', 'figure-privilege', 'no-foreplacing'] as const;
export type Variation = (typeof VARIATIONS)[number];

export interface Choice {
  base: Base;
  deck: Deck;
  variations: Variation[];
}

/** The name of the rule set: its base, then what varies it. The server says if they do not go together. */
export function nameOfRules({ base, deck, variations }: Choice): string {
  return [base, ...(deck === 'single' ? [] : [deck]), ...variations].join('+');
}

/** What a name is put together from; null if it is not one of these. */
export function choiceOf(rules: string): Choice | null {
  const [first, ...parts] = rules.split('+');
  const base = BASES.find((base) => base === first);
  const deck = DECKS.find((deck) => deck !== 'single' && parts.includes(deck)) ?? 'single';
  const variations = VARIATIONS.filter((variation) => parts.includes(variation));
  const known = variations.length + (deck === 'single' ? 0 : 1);
  return base && known === parts.length ? { base, deck, variations } : null;
}
