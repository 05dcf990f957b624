// Configures Vite, Paraglide and Vitest.
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { svelteTesting } from '@testing-library/svelte/vite';
import { readdirSync, readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { guide } from './guide.ts';
import { fewScripts } from './few-scripts.ts';

/**
 * Returns a plugin that removes the inline style of SvelteKit's announcer (an element for screen readers), because the
 * Content-Security-Policy forbids inline styles. The file `app.css` hides the announcer instead.
 */
function announcerWithoutInlineStyle(): Plugin {
  return {
    name: 'announcer-without-inline-style',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/generated/root.svelte')) return;
      return { code: code.replace(/(<div id="svelte-announcer"[^>]*?) style="[^"]*"/, '$1'), map: null };
    }
  };
}

// Test files that replace modules or globals. Each runs in its own environment. All other test files share their modules, so
// that each module is loaded once for all of them. The list is empty outside of Vitest, so that a build reads no tests.
const replacing = (process.env.VITEST ? readdirSync(new URL('tests', import.meta.url)) : [])
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `tests/${file}`)
  .filter((file) => /\bvi\.(mock|stub)/.test(readFileSync(new URL(file, import.meta.url), 'utf8')));

// Address at which `overmate serve` listens, for `npm run dev`.
const server = process.env.OVERMATE_SERVER ?? 'http://127.0.0.1:2420';

// The plugin is omitted under Vitest, because `npm test` has compiled the messages and the plugin's timers would
// keep the process from ending.
const messages = process.env.VITEST
  ? []
  : paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/lib/paraglide',
      strategy: ['localStorage', 'preferredLanguage', 'baseLocale']
    });

export default defineConfig({
  plugins: [messages, announcerWithoutInlineStyle(), guide(), fewScripts(), sveltekit(), svelteTesting()],
  // The development server may read the documents, which contain the guide.
  server: { proxy: { '/api': { target: server, ws: true } }, fs: { allow: ['../docs'] } },
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
});
