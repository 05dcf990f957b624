// Configures Vitest for the unit tests.
import { svelteTesting } from '@testing-library/svelte/vite';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig, mergeConfig } from 'vitest/config';
import { paraglideOfTests } from './paraglide.js';
import vite from './vite.config.ts';

// Test files that replace modules or globals. Each runs in its own environment. All other test files share their modules, so
// that each module is loaded once for all of them.
const replacing = readdirSync(new URL('tests', import.meta.url))
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `tests/${file}`)
  .filter((file) => /\bvi\.(mock|stub)/.test(readFileSync(new URL(file, import.meta.url), 'utf8')));

// The alias `$lib/paraglide` must come before SvelteKit's alias `$lib`. Vite puts the aliases of later plugins first.
const messagesOfTests: Plugin = {
  name: 'messages-of-tests',
  enforce: 'post',
  config: () => ({ resolve: { alias: { '$lib/paraglide': resolve(paraglideOfTests.outdir) } } })
};

export default mergeConfig(
  vite,
  defineConfig({
    plugins: [svelteTesting(), messagesOfTests],
    test: {
      environment: 'happy-dom',
      setupFiles: ['tests/setup.ts'],
      projects: [
        { extends: true, test: { name: 'replacing', include: replacing } },
        {
          extends: true,
          test: { name: 'sharing', include: ['tests/*.test.ts'], exclude: replacing, isolate: false }
        }
      ]
    }
  })
);
