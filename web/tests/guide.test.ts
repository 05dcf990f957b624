// Tests the conversion of the guide (`docs/guide.md`) to a web page: its text blocks, links and deals.
import { expect, test } from 'vitest';
import { addressOf, anchorOf, blocksOf } from '../guide.ts';
import english from '../../docs/guide.md';
import german from '../../docs/guide.de.md';
import type { Block } from '$lib/guide/blocks';

const deals = (blocks: Block[]) => blocks.flatMap((block) => (block.kind === 'deal' ? [block.deal] : []));

test('both languages have the same blocks and deals', () => {
  const kinds = (blocks: Block[]) => blocks.map(({ kind }) => kind);
  expect(kinds(german)).toEqual(kinds(english));
  expect(deals(german)).toEqual(deals(english));
  expect(deals(english).length).toBeGreaterThan(15);
  expect(kinds(english)).toContain('score sheet');
  expect(kinds(english)).toContain('rule sets');
});

test('the board of each deal has the cards and values of its position', () => {
  for (const { first, second, actions } of deals(english)) {
    expect(new Set([...first, ...second]).size).toBe(20);
    expect(actions.length).toBeGreaterThan(7);
  }
});

test('the table of the rule sets has headings for columns and rows', () => {
  for (const blocks of [english, german]) {
    const [table] = blocks.flatMap((block) => (block.kind === 'rule sets' ? [block.html] : []));
    expect(table?.match(/<th>/g)).toHaveLength(5);
    expect(table?.match(/<th scope="row">/g)).toHaveLength(6);
    expect(table?.match(/<td>/g)).toHaveLength(31);
  }
});

test('the score sheet has a row for each game of the longest match, and the total', () => {
  for (const blocks of [english, german]) {
    const [sheet] = blocks.flatMap((block) => (block.kind === 'score sheet' ? [block.html] : []));
    expect(sheet?.match(/<tr>/g)).toHaveLength(1 + 6 + 1);
  }
});

test('anchors are unique', () => {
  for (const blocks of [english, german]) {
    const anchors = blocks.flatMap((block) => (block.kind === 'heading' ? [block.anchor] : []));
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors.length).toBeGreaterThan(20);
  }
  expect(anchorOf('As *second*, answer')).toBe('as-second-answer');
});

test('links lead to a page or to the documents', () => {
  expect(addressOf('rules.md#foreplacing')).toBe('/rules');
  expect(addressOf('solved.md')).toBe('https://github.com/overmate/overmate/blob/main/docs/solved.md');
  expect(addressOf('#history')).toBe('#history');
  const html = english.map((block) => ('html' in block ? block.html : '')).join('');
  expect(html).not.toMatch(/href="[^"]*(?<!docs\/[a-z]+)\.md/);
});

test('a command without values is an error', () => {
  expect(() => blocksOf('`overmate solve 5`', [])).toThrow('cargo xtask generate');
});
