// Joins the many small scripts of the start page into few, which a slow network brings sooner.
import type { Plugin } from 'vite';

/**
 * Pattern of the modules that every page loads with their imports: SvelteKit's client, its list of pages, and the
 * layout.
 */
const COMMON =
  /\/kit\/src\/runtime\/client\/entry\.js$|\/client-optimized\/app\.js$|\/src\/routes\/\+layout\./;

/** Pattern of the module of the start page. */
const START = /\/src\/routes\/\+page\.svelte$/;

/**
 * Returns a Vite plugin that bundles the modules of all pages into one script, and the modules of the start page into
 * another.
 */
export function fewScripts(): Plugin {
  return {
    name: 'few-scripts',
    applyToEnvironment: ({ name }) => name === 'client',
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        // A group contains the imports of its modules, except for those of an earlier group.
        groups: [
          { name: 'common', test: COMMON, priority: 2 },
          { name: 'start', test: START, priority: 1 }
        ]
      }
    })
  };
}
