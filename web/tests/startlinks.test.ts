// Tests the HTML links to the scripts and styles of the start page.
import { expect, test } from 'vitest';
import { linksOf } from '../start-links';

const manifest = {
  start: { file: 'start.js', imports: ['shared', 'common'] },
  shared: { file: 'shared.js', css: ['shared.css'], imports: ['start', 'common'] },
  common: { file: 'common.js', css: ['common.css'] },
  other: { file: 'other.js' }
};

test('the links name all files of the start page once, the styles first', () => {
  expect(linksOf(manifest, 'start', '')).toBe(
    '<link href="/shared.css" rel="stylesheet">\n<link href="/common.css" rel="stylesheet">\n' +
      '<link href="/start.js" rel="modulepreload">\n<link href="/shared.js" rel="modulepreload">\n' +
      '<link href="/common.js" rel="modulepreload">\n'
  );
});

test('the links leave out the files that the page of all addresses names', () => {
  const html = '<link href="/common.js" rel="modulepreload"><link href="/common.css" rel="stylesheet">';
  expect(linksOf(manifest, 'start', html)).not.toContain('common');
});

test('a script that the build lacks is an error', () => {
  expect(() => linksOf(manifest, 'nowhere', '')).toThrow('nowhere');
});
