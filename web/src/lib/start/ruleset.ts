// A rule set as it is put together on the start page, and its name.

export const BASES = ['bga', 'sackson', 'pagat', 'denexa', 'rael'] as const;
export type Base = (typeof BASES)[number];

export type Deck = 'single' | 'double' | 'pinochle';
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
