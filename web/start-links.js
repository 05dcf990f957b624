// Lists the files of the start page for the server, which names them in its HTML page. The browser then requests all of
// them at once, and not only after the common scripts have run.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Type of Vite's manifest: the scripts of a build, by their names.
 * @typedef {Record<string, { file: string, css?: string[], imports?: string[] }>} Manifest
 */

/**
 * Path of the list of the start page's files, relative to the folder of the built client. The server reads
 * the list.
 */
const LINKS = '_app/start-links.txt';

/** Text by which the build recognises the start page's script, which SvelteKit generates. */
const START = '/src/routes/+page.svelte"';

/**
 * Returns HTML links to a script, to its imported scripts, and to the styles of all these scripts. Files that the HTML
 * page already names are omitted.
 * @param {Manifest} manifest
 * @param {string} source
 * @param {string} html
 */
export function linksOf(manifest, source, html) {
  const names = new Set([source]);
  for (const name of names) for (const further of manifest[name]?.imports ?? []) names.add(further);
  const scripts = [...names].map((name) => {
    const script = manifest[name];
    if (!script) throw new Error(`the build has no script ${name}`);
    return script;
  });
  const styles = new Set(scripts.flatMap(({ css }) => css ?? []));
  const links = [
    ...[...styles].map((file) => ({ file, rel: 'stylesheet' })),
    ...scripts.map(({ file }) => ({ file, rel: 'modulepreload' }))
  ];
  return links
    .filter(({ file }) => !html.includes(`"/${file}"`))
    .map(({ file, rel }) => `<link href="/${file}" rel="${rel}">\n`)
    .join('');
}

/**
 * Extends a SvelteKit adapter: the new adapter also writes the list of the start page's files into the folder of the
 * built pages.
 * @param {import('@sveltejs/kit').Adapter} adapter
 * @param {string} pages
 * @returns {import('@sveltejs/kit').Adapter}
 */
export function withStartLinks(adapter, pages) {
  return {
    ...adapter,
    async adapt(builder) {
      await adapter.adapt(builder);
      const file = join(builder.getClientDirectory(), '.vite/manifest.json');
      /** @type {Manifest} */
      const manifest = JSON.parse(readFileSync(file, 'utf8'));
      const node = Object.keys(manifest).find(
        (name) => /\/nodes\/\d+\.js$/.test(name) && readFileSync(name, 'utf8').includes(START)
      );
      if (!node) throw new Error('the build has no script for the start page');
      const html = readFileSync(join(pages, 'index.html'), 'utf8');
      writeFileSync(join(pages, LINKS), linksOf(manifest, node, html));
    }
  };
}
