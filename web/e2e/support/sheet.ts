// Defines the parts of the contact sheet, and makes the page that shows them.
import { DECKS, PAGES, SITUATIONS, SIZES, type Deck, type Show } from './situations';

/** Folder of the contact sheet. */
export const FOLDER = new URL('../../../target/sheet/', import.meta.url).pathname;
/** Largest width and height of a picture on the sheet in CSS pixels. */
const BOX = { width: 260, height: 300 };

/** Part of the contact sheet: a table of pictures in one deck, colour scheme and language. */
export interface Part {
  deck: Deck;
  colorScheme: 'light' | 'dark';
  locale: string;
  columns: Record<string, Show>;
}

/** Parts of the contact sheet, from top to bottom, by name. */
export const PARTS: Record<string, Part> = {
  single: { deck: 'single', colorScheme: 'light', locale: 'en-GB', columns: SITUATIONS },
  chess: { deck: 'chess', colorScheme: 'dark', locale: 'en-GB', columns: SITUATIONS },
  double: { deck: 'double', colorScheme: 'light', locale: 'de-DE', columns: SITUATIONS },
  pinochle: { deck: 'pinochle', colorScheme: 'dark', locale: 'de-DE', columns: SITUATIONS },
  pages: { deck: 'single', colorScheme: 'light', locale: 'en-GB', columns: PAGES },
  'pages-dark': { deck: 'single', colorScheme: 'dark', locale: 'de-DE', columns: PAGES }
};

/** Returns the path of a picture, relative to the folder of the sheet. */
export const pictureOf = (part: string, column: string, { width, height }: (typeof SIZES)[number]): string =>
  `${part}/${column.replace(/\W+/g, '-')}-${width}x${height}.png`;

/** Returns a page with one part: a row for each window size, and a column for each situation. */
export function pageOf(name: string): string {
  const { deck, colorScheme, locale, columns } = PARTS[name] ?? fail(name);
  const title = `${name}: ${DECKS[deck]}, ${colorScheme}, ${locale}`;
  const heads = Object.keys(columns).map((column) => `<th>${column}</th>`);
  const rows = SIZES.map((size) => {
    const scale = Math.min(BOX.width / size.width, BOX.height / size.height);
    const pictures = Object.keys(columns).map((column) => {
      const path = pictureOf(name, column, size);
      return `<td><a href="${path}"><img loading="lazy" width="${Math.round(size.width * scale)}" height="${Math.round(size.height * scale)}" alt="${column}" src="${path}"></a></td>`;
    });
    return `<tr><th>${size.width} × ${size.height}</th>${pictures.join('')}</tr>`;
  });
  return `<h2>${title}</h2><table><tr><th></th>${heads.join('')}</tr>${rows.join('')}</table>`;
}

/** Returns a complete HTML document with a body. */
export const documentOf = (body: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{margin:0;padding:8px;inline-size:max-content;font:16px sans-serif;background:#bbb}td{vertical-align:top}img{display:block}h2{margin:4px}</style>${body}`;

function fail(name: string): never {
  throw new Error(`the contact sheet has no part ${name}`);
}
