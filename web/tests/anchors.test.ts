import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANCHORED } from '$lib/ratings/anchors';

test('the rule sets with rated computer opponents are those of the server', () => {
  const table = readFileSync('../crates/overmate-server/data/anchors.tsv', 'utf8');
  const rows = table.trim().split('\n').slice(1);
  expect(rows).toHaveLength(60);
  expect([...new Set(rows.map((row) => row.split('\t')[0]))]).toEqual(ANCHORED);
});
