// Decides whether a browser test checks all its cases or only a sample, which a random seed determines.

/**
 * Whether the tests check all cases instead of a sample. `cargo xtask test --thorough` sets the environment
 * variable `OVERMATE_THOROUGH`.
 */
export const thorough = process.env.OVERMATE_THOROUGH === '1';

/** Locales of the browsers in which the tests open the pages, one for each language of the user interface. */
export const LOCALES = ['en-GB', 'de-DE'] as const;

/**
 * Locales of the layout tests: only German in a sampled run, because German texts are longer, and all locales in a
 * thorough run.
 */
export const GERMAN_AT_LEAST = thorough ? LOCALES : LOCALES.slice(1);

/** Random seed of all test samples. */
export const SEED = Number(process.env.OVERMATE_SEED ?? 1);

/**
 * Returns all given values in a thorough test run, and otherwise only one of these values. The seed and the name
 * choose the value, so that tests with different names take different values, and each test takes all values over as
 * many consecutive seeds.
 */
export function sampled<Value>(values: readonly Value[], name: string): readonly Value[] {
  if (thorough) return values;
  const sum = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), SEED);
  return values.slice(sum % values.length).slice(0, 1);
}
