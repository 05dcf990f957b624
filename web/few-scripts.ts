// Joins the many small scripts of the start page into a few scripts, which load faster over a slow network.
import type { Plugin } from 'vite';

/**
 * Regular expression for the paths of the JavaScript modules that every page loads. These modules, with their imports,
 * are SvelteKit's client, its list of pages, and the layout.
 */
const COMMON =
  /\/kit\/src\/runtime\/client\/entry\.js$|\/client-optimized\/app\.js$|\/src\/routes\/\+layout\./;

/** Regular expression for the path of the start page's JavaScript module. */
const START = /\/src\/routes\/\+page\.svelte$/;

/**
 * Returns a Vite plugin that bundles the modules that all pages need into one script. A second script contains the
 * other modules of the start page.
 */
export function fewScripts(): Plugin {
  return {
    name: 'few-scripts',
    applyToEnvironment: ({ name }) => name === 'client',
    outputOptions: (options) => ({
      ...options,
      codeSplitting: {
        // The bundler adds the imports of a group's modules to the group, unless an earlier group contains them.
        groups: [
          { name: 'common', test: COMMON, priority: 2 },
          { name: 'start', test: START, priority: 1 }
        ]
      }
    })
  };
}
