// Tests the conversion between the choices in a form and the name of a rule set, and the texts on rule sets, with the
// catalogue of the real server.
import { beforeEach, describe, expect, it } from 'vitest';
import type { RuleSets } from '$lib/api/types';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { Catalogue, catalogue } from '$lib/rules/catalogue.svelte';
import { choiceOf, conflictsOf, nameOfRules, type Choice } from '$lib/rules/choice';
import { compare, factsSay } from '$lib/rules/facts';
import { RuleChoice } from '$lib/rules/rulechoice.svelte';
import { rulesTitle } from '$lib/text/rules';
import rules from './fixtures/rules.json';
import { demanding, following, free } from './fixtures';

const sets: RuleSets = rules;
const decks = ['', ...sets.variations.filter(({ deck }) => deck).map(({ id }) => id)];
const variations = sets.variations.filter(({ deck }) => !deck).map(({ id }) => id);

/** Generates all combinations of a rule set, a deck and variations that a form for rule sets allows. */
function* choices(): Generator<Choice> {
  for (const { id: base } of sets.rule_sets)
    for (const deck of decks)
      for (let set = 0; set < 2 ** variations.length; set += 1)
        yield { base, deck, variations: variations.filter((_, at) => set & (1 << at)) };
}

describe('a choice of rules', () => {
  it('comes back from its name, but for variations that change nothing', () => {
    const names = new Set<string>();
    for (const choice of choices()) {
      const idle = sets.rule_sets.find(({ id }) => id === choice.base)?.idle ?? [];
      const name = nameOfRules(sets, choice);
      const effective = choice.variations.filter((id) => !idle.includes(id));
      expect(choiceOf(sets, name)).toEqual({ ...choice, variations: effective });
      names.add(name);
    }
    const idle = sets.rule_sets.filter((set) => set.idle.length === 1).length;
    expect(idle).toBe(1);
    const each = decks.length * 2 ** variations.length;
    expect(names.size).toBe((sets.rule_sets.length - idle) * each + (idle * each) / 2);
  });

  it('is not made of a name with unknown or repeated parts', () => {
    for (const name of ['', 'mine', 'bga+mine', 'bga+double+pinochle', 'bga+double+double', '+double'])
      expect(choiceOf(sets, name), name).toBeNull();
  });

  it('names the variations that do not go together', () => {
    const conflicts = (base: string, deck: string, ...variations: string[]) =>
      conflictsOf(sets, { base, deck, variations }).map(({ id }) => id);
    expect(conflicts('sackson', 'double', 'figure-privilege')).toEqual(['double', 'figure-privilege']);
    expect(conflicts('sackson', 'double', 'kings-privilege', 'free-move')).toEqual([]);
    expect(conflicts('sackson', 'pinochle', 'figure-privilege')).toEqual([]);
    expect(conflicts('rael', 'double', 'figure-privilege')).toEqual([]);
  });

  it('follows the shown rule set until the form changes it', () => {
    const known = new Catalogue();
    known.sets = sets;
    const choice = new RuleChoice(known, () => 'pagat+double+free-move');
    expect([choice.base, choice.deck, choice.variations]).toEqual(['pagat', 'double', ['free-move']]);
    choice.deck = '';
    expect(choice.rules).toBe('pagat+free-move');
  });

  it('accepts deal numbers with separators, and refuses letters and signs', () => {
    const choice = new RuleChoice(new Catalogue(), () => 'bga');
    expect(['', '20010', '20,010', '20.010', '20 010'].filter((text) => !choice.hasDeal(text))).toEqual([]);
    expect(['-3', 'abc', '7a', '1e3'].filter((text) => choice.hasDeal(text))).toEqual([]);
  });
});

describe('a rule set', () => {
  beforeEach(() => {
    catalogue.sets = sets;
  });

  it('has a title in the language of the reader', () => {
    const shown = { rules: 'sackson+double+free-move', rules_title: 'server’s' };
    expect(rulesTitle(shown)).toBe('Sackson, double deck, free move');
    overwriteGetLocale(() => 'de');
    expect(rulesTitle(shown)).toBe('Sackson, doppelte Karten, freier Zug');
    expect(rulesTitle({ rules: 'mine', rules_title: 'Mine' })).toBe('Mine');
  });

  it('is listed with the simplest rule set first', () => {
    expect(catalogue.bases.map(({ id }) => id)).toEqual(['bga', 'sackson', 'pagat', 'denexa', 'rael']);
  });

  it('is told and compared by the facts of the server', () => {
    expect(factsSay(following.facts)).toBe(
      'The foreplaced card lies open. Second may not take a card of the suit or rank that First took. ' +
        'The mates of a player who foreplaced count one move more. An overmate is doubled, whoever gives it. ' +
        'A match has 4 games.'
    );
    expect(factsSay(free.facts)).toBe('There is no foreplacing. A match has 4 games.');
    const rows = compare([free.facts, demanding.facts]);
    expect(rows.map(({ cells }) => cells.length)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(rows[3]?.cells).toEqual(['–', 'as in every other move']);
    expect(rows[4]?.cells).toEqual(['ace, ten, king, queen, seven', 'king, queen, rook, bishop, knight']);
    expect(rows[5]?.cells).toEqual(['4', '6']);
  });
});
