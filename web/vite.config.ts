// Configures Vite and Paraglide. The build uses only the packages that `package.json` names as dependencies.
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig, type Plugin } from 'vite';
import { guide } from './guide.ts';
import { fewScripts } from './few-scripts.ts';
import { paraglide } from './paraglide.js';

/**
 * Returns a plugin that removes the inline style of SvelteKit's announcer (an element for screen readers). The
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

// Address at which `overmate serve` listens, for `npm run dev`.
const server = process.env.OVERMATE_SERVER ?? 'http://127.0.0.1:2420';

// The Paraglide plugin is omitted under Vitest, because `npm test` has already compiled the messages, and the timers of
// the plugin would keep the process from ending.
const messages = process.env.VITEST ? [] : paraglideVitePlugin(paraglide);

export default defineConfig({
  // The list of npm packages in the page, from which `cargo xtask licences` writes their licence texts.
  build: { license: { fileName: '.vite/licences.json' } },
  plugins: [messages, announcerWithoutInlineStyle(), guide(), fewScripts(), sveltekit()],
  // The development server may read the documents, which contain the guide.
  server: { proxy: { '/api': { target: server, ws: true } }, fs: { allow: ['../docs'] } }
});
