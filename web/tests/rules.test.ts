// Rule sets as forms put them together: their names, and the way back.
import { describe, expect, it } from 'vitest';
import { BASES, choiceOf, DECKS, nameOfRules, VARIATIONS } from '$lib/start/ruleset';

describe('the name of a rule set', () => {
  it('says all that was chosen, and nothing else is taken for one', () => {
    const names = new Set<string>();
    for (const base of BASES)
      for (const deck of DECKS)
        for (let set = 0; set < 2 ** VARIATIONS.length; set += 1) {
          const choice = { base, deck, variations: VARIATIONS.filter((_, at) => set & (1 << at)) };
          expect(choiceOf(nameOfRules(choice))).toEqual(choice);
          names.add(nameOfRules(choice));
        }
    expect(names.size).toBe(5 * 3 * 16);
    for (const other of ['', 'mine', 'bga+mine', 'bga+double+pinochle', 'bga+double+double', '+double'])
      expect(choiceOf(other), other).toBeNull();
  });
});
