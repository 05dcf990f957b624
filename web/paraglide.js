// Defines how Paraglide compiles the messages into functions, for the page and for the unit tests.

/**
 * Paraglide settings for the page. In a build, each message becomes a module, so that a script of the page holds only
 * the messages it uses.
 *
 * @type {import('@inlang/paraglide-js').CompilerOptions}
 */
export const paraglide = {
  project: './project.inlang',
  outdir: './src/lib/paraglide',
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale']
};

/**
 * Paraglide settings for the unit tests. Each language becomes one module, because loading a module for each message
 * takes half of the tests' time.
 *
 * @type {import('@inlang/paraglide-js').CompilerOptions}
 */
export const paraglideOfTests = {
  ...paraglide,
  outdir: './.svelte-kit/paraglide-of-tests',
  outputStructure: 'locale-modules'
};
