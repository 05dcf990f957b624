// How SvelteKit builds the client: a single page for every path, and nothing inline in it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import adapterStatic from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const OUT = 'build';

/**
 * The static adapter, after which the start-up script of the page moves into a file of its own:
 * then `script-src 'self'` is enough, without hashes that the server would have to know.
 */
function adapter() {
  const inner = adapterStatic({ pages: OUT, assets: OUT, fallback: 'index.html' });
  return {
    name: 'overmate-static',
    async adapt(builder) {
      await inner.adapt(builder);
      const page = `${OUT}/index.html`;
      const html = readFileSync(page, 'utf8');
      let moved = 0;
      const external = html.replace(/<script>([\s\S]*?)<\/script>/g, (_, script) => {
        moved += 1;
        const name = `_app/immutable/start.${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`;
        writeFileSync(`${OUT}/${name}`, script);
        return `<script src="/${name}"></script>`;
      });
      if (moved !== 1 || /style="/.test(external)) {
        throw new Error(`expected one inline script and no inline style in ${page}`);
      }
      writeFileSync(page, external);
    }
  };
}

/** @type {import('@sveltejs/kit').Config} */
export default {
  preprocess: vitePreprocess(),
  compilerOptions: { runes: true },
  kit: {
    adapter: adapter(),
    output: { preloadStrategy: 'modulepreload' },
    version: { name: 'overmate' },
    typescript: {
      config: (config) => ({ ...config, include: [...config.include, '../tests/**/*.ts'] })
    }
  }
};
