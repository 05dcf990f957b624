// Tests the conversion of the explored lines of an analysis to a tree and to a page URL.
import { describe, expect, it } from 'vitest';
import { goTo, hasOwnRules, readAddress, treeOf, writeAddress, type Exploration } from '$lib/analysis/tree';

const start: Exploration = {
  root: { rules: 'rael+double', deal: '20010' },
  line: [],
  also: [],
  perfect: null
};
const back = (exploration: Exploration) =>
  readAddress(new URLSearchParams(writeAddress(exploration).split('?')[1]));

/** Generates a reproducible pseudorandom sequence of explorations, each with a line of actions in an analysis. */
function* walk(steps: number): Generator<Exploration> {
  let seed = 1;
  const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  let here = start;
  const actions = ['-', '(Tc)', 'Kc!', 'Ks*', '7d'];
  for (let step = 0; step < steps; step += 1) {
    const line =
      next(3) === 0
        ? here.line.slice(0, next(here.line.length + 1))
        : [...here.line, actions[next(5)] ?? '-'];
    here = goTo(here, line);
    yield here;
  }
}

describe('an exploration', () => {
  it('is read back from its address unchanged', () => {
    let walked = 0;
    for (const here of walk(500)) {
      expect(back(here)).toEqual(here);
      walked += 1;
    }
    expect(walked).toBe(500);
    const position = {
      ...start,
      root: { rules: 'bga', position: 'AcTc/KcQs first -/- - -' },
      perfect: 'second' as const
    };
    expect(back(position)).toEqual(position);
    expect(readAddress(new URLSearchParams('rules=bga'))).toBeNull();
  });

  it('keeps every explored line in the tree', () => {
    const seen = new Set<string>();
    for (const here of walk(200)) {
      seen.add(here.line.join());
      const known = new Set(['']);
      const visit = (nodes: ReturnType<typeof treeOf>) => {
        for (const node of nodes) {
          known.add(node.line.join());
          visit(node.children);
        }
      };
      visit(treeOf(here));
      expect(known).toEqual(new Set([...seen, ...[...seen].flatMap((line) => prefixes(line)), '']));
    }
    expect(seen.size).toBeGreaterThan(50);
  });
});

const prefixes = (line: string) => line.split(',').map((_, at, all) => all.slice(0, at).join());

describe('a record', () => {
  it('has rules that no address can name if a header contains its rule set', () => {
    const record =
      '[Rules "sackson"]\n[A "Anna"]\n[Deals "37047"]\n\nGame 1: A leads\n{[RuleSet is no header here]} - -\n*\n';
    expect(hasOwnRules(record)).toBe(false);
    expect(hasOwnRules(record.replace('[A', '[RuleSet "name = \\"sackson\\""]\n[A'))).toBe(true);
  });
});
