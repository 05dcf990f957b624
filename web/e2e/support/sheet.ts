// Defines the parts of the contact sheet (overview of screenshots), and builds the HTML page that shows these parts.
import { pages, type Somebody } from './pages';
import { people } from './people';
import { DECKS, PAGES, SITUATIONS, SIZES, type Deck, type Show } from './situations';

/** Folder into which the contact sheet (overview of screenshots) is written. */
export const FOLDER = new URL('../../../target/sheet/', import.meta.url).pathname;
/** Maximum width and height of a picture on the contact sheet, in CSS pixels. */
const BOX = { width: 260, height: 300 };

/**
 * Function that opens a page for a picture on the contact sheet. The function can also open browsers of other players.
 */
type Shot = (...arguments_: [...Parameters<Show>, somebody: Somebody]) => Promise<void>;

/** Part of the contact sheet: a table of pictures with one deck, colour scheme and language. */
export interface Part {
  deck: Deck;
  colorScheme: 'light' | 'dark';
  locale: string;
  columns: Record<string, Shot>;
}

/**
 * Names of the pages with accounts or other players that the contact sheet (overview of screenshots) shows. The names
 * are keys of `people`.
 */
const PEOPLE = [
  'lobby with challenges',
  'own open offer on another page',
  'own accepted offer in the lobby',
  'rated invitation, whose deal is hidden',
  'profile of another player',
  'own profile',
  'events, with the form',
  'event that has ended',
  'matches to watch',
  'table with clocks',
  'talk',
  'report',
  'own page with an account',
  'own page of a bot'
];

/**
 * Functions that open pages with accounts or other players for the contact sheet (overview of screenshots), by the
 * heading of the column.
 */
const ofPeople: Record<string, Shot> = Object.fromEntries(
  PEOPLE.map((name): [string, Shot] => [
    name,
    async (page, context, _, somebody) => {
      const after = () => fail(`${name}, with a server of its own`);
      await (people[name] ?? fail(name))({ page, context, somebody, after });
    }
  ])
);
ofPeople['best players'] = (page, context, _, somebody) =>
  (pages['best players'] ?? fail('best players'))(page, context, somebody);

/** Parts of the contact sheet (overview of screenshots), from top to bottom, by name. */
export const PARTS: Record<string, Part> = {
  single: { deck: 'single', colorScheme: 'light', locale: 'en-GB', columns: SITUATIONS },
  chess: { deck: 'chess', colorScheme: 'dark', locale: 'en-GB', columns: SITUATIONS },
  double: { deck: 'double', colorScheme: 'light', locale: 'de-DE', columns: SITUATIONS },
  pinochle: { deck: 'pinochle', colorScheme: 'dark', locale: 'de-DE', columns: SITUATIONS },
  pages: { deck: 'single', colorScheme: 'light', locale: 'en-GB', columns: PAGES },
  'pages-dark': { deck: 'single', colorScheme: 'dark', locale: 'de-DE', columns: PAGES },
  people: { deck: 'single', colorScheme: 'light', locale: 'en-GB', columns: ofPeople },
  'people-dark': { deck: 'single', colorScheme: 'dark', locale: 'de-DE', columns: ofPeople }
};

/** Returns the path of a screenshot, relative to the folder of the contact sheet (overview of screenshots). */
export const pictureOf = (part: string, column: string, { width, height }: (typeof SIZES)[number]): string =>
  `${part}/${column.replace(/\W+/g, '-')}-${width}x${height}.png`;

/**
 * Returns an HTML page with one part of the contact sheet: a row for each window size, and a column for each
 * situation.
 */
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

/** Returns a complete HTML document with a given body. */
export const documentOf = (body: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Contact sheet</title><style>body{margin:0;padding:8px;inline-size:max-content;font:16px sans-serif;background:#bbb}td{vertical-align:top}img{display:block}h2{margin:4px}</style>${body}`;

function fail(name: string): never {
  throw new Error(`the contact sheet has no part or picture ${name}`);
}
