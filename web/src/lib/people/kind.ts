// Describes the kind of this browser in a few words, so that people recognise it in the list of their
// browsers.

// The order of the browser names matters, because the user agents of many browsers also contain the names of other
// browsers. For example, the user agent of Edge for Windows contains `Chrome/` and `Safari/`.
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari']
] as const;
const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux']
] as const;

/**
 * Returns the names of the browser and the operating system in a user agent string, such as `Firefox, Android`.
 * Returns null for an unknown browser.
 */
export function kindOf(userAgent: string): string | null {
  const found = [BROWSERS, SYSTEMS].flatMap(
    (names) => names.find(([sign]) => userAgent.includes(sign))?.[1] ?? []
  );
  return found.length > 0 ? found.join(', ') : null;
}
