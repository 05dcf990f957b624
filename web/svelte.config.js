// Configures SvelteKit to build the client as static files: one fallback page serves all paths.
import adapter from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';
import { withStartLinks } from './start-links.js';

const pages = '../crates/overmate-server/page';

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  kit: {
    // The server allows the page's inline script by its hash, and sends compressed files unchanged. The
    // server's package holds the built client, so that a published crate has its pages.
    adapter: withStartLinks(adapter({ pages, fallback: 'index.html', precompress: true }), pages),
    version: { name: 'overmate' },
    // The pages register the service worker after their load, so that the worker's files do not delay the first page.
    // The service worker does not keep the licence texts, which are large and which no page shows.
    serviceWorker: { register: false, files: (file) => file !== 'third-party-licences.txt' },
    // Folder with the sources of the npm package `overmate`, whose engine and types the pages use.
    alias: { overmate: 'packages/overmate/src' },
    typescript: {
      config: (config) => ({
        ...config,
        include: [...config.include, '../tests/**/*.ts', '../vitest.config.ts']
      })
    }
  }
};
