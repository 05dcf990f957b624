// Tests the names that the page gives to browsers in the list of a player's browsers.
import { expect, test } from 'vitest';
import { kindOf } from '../src/lib/people/kind';

test('the kind of a browser names browser and system', () => {
  const mozilla = 'Mozilla/5.0';
  const cases: [string, string | null][] = [
    [`${mozilla} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox, Linux'],
    [`${mozilla} (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0`, 'Firefox, Android'],
    [
      `${mozilla} (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36`,
      'Chrome, Android'
    ],
    [
      `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
      'Edge, Windows'
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1`,
      'Safari, iPhone'
    ],
    [
      `${mozilla} (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1`,
      'Chrome, iPhone'
    ],
    [
      `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15`,
      'Safari, macOS'
    ],
    ['curl/8.0', null]
  ];
  expect(cases).toHaveLength(8);
  for (const [userAgent, kind] of cases) expect(kindOf(userAgent)).toBe(kind);
});
