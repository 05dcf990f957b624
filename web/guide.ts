// Vite plugin that converts the guide, docs/guide.md and docs/guide.de.md, to the blocks of the page /guide.
import { marked, type Token, type Tokens } from 'marked';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import type { Block, GuideDeal, TableKind } from './src/lib/guide/blocks';

/** Base URL of the project's documents that are not pages of the site. */
const DOCUMENTS = 'https://github.com/overmate/overmate/blob/main/docs/';

/** URL paths of the pages that show a document, by the file name of the document. */
const pages: Record<string, string> = { 'rules.md': '/rules' };

/** Converts a link in a document to a URL that works on the site. */
export function addressOf(link: string): string {
  const [file = '', anchor] = link.split('#');
  if (file === '' || link.includes('://')) return link;
  // A link to a document with its own page on the site loses the anchor after the `#`, because the page lacks the
  // document's anchors.
  return pages[file] ?? DOCUMENTS + file + (anchor ? `#${anchor}` : '');
}

/** Returns the anchor of a heading: its words in lower case, joined by hyphens. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('-') ?? '';

const isLink = (token: Token): token is Tokens.Link => token.type === 'link';

/**
 * Returns the `overmate solve` command of a paragraph that consists only of this command, or null for any other
 * paragraph.
 */
function commandOf(token: Token): string | null {
  if (token.type !== 'paragraph') return null;
  const [code, ...more] = (token as Tokens.Paragraph).tokens;
  return code?.type === 'codespan' && more.length === 0 && code.raw.startsWith('`overmate solve ')
    ? (code as Tokens.Codespan).text
    : null;
}

/** Returns the deal of an `overmate solve` command, from the computed deals of the document "A guide to Mate". */
function dealOf(command: string, deals: GuideDeal[]): GuideDeal {
  const [, after = ''] = /--after "([^"]*)"/.exec(command) ?? [];
  const [, rules = 'sackson'] = /--rules (\S+)/.exec(command) ?? [];
  const number = command.split(' ').at(-1);
  const found = deals.find(
    (deal) => deal.deal === number && deal.rules === rules && deal.after.join(' ') === after
  );
  if (!found) throw new Error(`docs/guide/deals.jsonl lacks \`${command}\`: run \`cargo xtask generate\``);
  return found;
}

/**
 * Marks the first cell of each table row as the row header. The corner of the table becomes an empty data cell.
 */
const withRowHeadings = (table: string): string =>
  table.replace('<th></th>', '<td></td>').replace(/(<tr>\s*)<td>(.+?)<\/td>/g, '$1<th scope="row">$2</th>');

/**
 * Parses a guide in Markdown to a list of blocks (headings, texts, tables and deals), and adds the computed values of
 * the deals.
 */
export function blocksOf(markdown: string, deals: GuideDeal[]): Block[] {
  const blocks: Block[] = [];
  // Kind of the next table in the guide: an ordinary table, unless an HTML comment before the table names another kind.
  let kind: TableKind = 'table';
  for (const token of marked.lexer(markdown)) {
    void marked.walkTokens([token], (inner) => {
      if (isLink(inner)) inner.href = addressOf(inner.href);
    });
    const command = commandOf(token);
    if (token.type === 'html') {
      // An HTML comment with neither `score sheet` nor `rule sets` does not change how the next table of the guide is
      // shown. Such a comment contains claims about numbers in the guide, which the tests check.
      kind = (['score sheet', 'rule sets'] as const).find((kind) => token.raw.includes(kind)) ?? kind;
    } else if (command) {
      blocks.push({ kind: 'deal', deal: dealOf(command, deals) });
    } else if (token.type === 'heading') {
      const { depth, text } = token as Tokens.Heading;
      blocks.push({ kind: 'heading', level: depth, text, anchor: anchorOf(text) });
    } else if (token.type === 'table') {
      const html = marked.parser([token]);
      blocks.push({ kind, html: kind === 'rule sets' ? withRowHeadings(html) : html });
      kind = 'table';
    } else if (token.type !== 'space') {
      const html = marked.parser([token]);
      const last = blocks.at(-1);
      if (last?.kind === 'text') last.html += html;
      else blocks.push({ kind: 'text', html });
    }
  }
  return blocks;
}

/**
 * Returns a Vite plugin that lets components import a guide in Markdown as a list of blocks (headings, texts, tables
 * and deals).
 */
export function guide(): Plugin {
  const list = resolve(import.meta.dirname, '../docs/guide/deals.jsonl');
  return {
    name: 'guide',
    enforce: 'pre',
    transform(markdown, id) {
      if (!/\/docs\/guide(\.\w+)?\.md$/.test(id)) return;
      this.addWatchFile(list);
      const deals = readFileSync(list, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as GuideDeal);
      return { code: `export default ${JSON.stringify(blocksOf(markdown, deals))};`, map: null };
    }
  };
}
