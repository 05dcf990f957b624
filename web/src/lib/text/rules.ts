// What a rule set is called in the reader's language.
import { m } from '$lib/paraglide/messages';

/** The published rule sets go by the names of those who published them. */
export const baseName = {
  bga: 'Board Game Arena',
  sackson: 'Sackson',
  pagat: 'Pagat',
  denexa: 'Denexa',
  rael: 'Rael'
} as const;

/** What varies a rule set, in a word or two. */
export const variationShort: Record<string, () => string> = {
  double: m.short_double,
  pinochle: m.short_pinochle,
  'free-move': m.short_free_move,
  'kings-privilege': m.short_kings_privilege,
  'figure-privilege': m.short_figure_privilege,
  'no-foreplacing': m.short_no_foreplacing
};

/** The title of a rule set by its name; one that is not known here keeps the server's. */
export function rulesTitle({ rules, rules_title }: { rules: string; rules_title: string }): string {
  const [base = '', ...parts] = rules.split('+');
  const known = Object.entries(baseName).find(([id]) => id === base)?.[1];
  const names = parts.map((part) => variationShort[part]?.());
  if (!known || names.includes(undefined)) return rules_title;
  return [known, ...names].join(', ');
}
