// Describes the properties of rule sets in words.
import type { RuleFacts } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { rankName } from '$lib/text/words';

/** Describes the foreplacing and the match length of a rule set in sentences. */
export function factsSay({ foreplacing, games }: RuleFacts): string {
  const sentences: string[] = [];
  if (foreplacing) {
    sentences.push(
      foreplacing.face_down ? m.rules_fact_face_down() : m.rules_fact_open(),
      foreplacing.second_restricted ? m.rules_fact_restricted() : m.rules_fact_unrestricted(),
      foreplacing.sole_doubled ? m.rules_fact_sole_doubled() : m.rules_fact_more()
    );
    const overmate = {
      either: m.rules_fact_over_either,
      foreplacer: m.rules_fact_over_foreplacer,
      nobody: null
    }[foreplacing.overmate];
    if (overmate) sentences.push(overmate());
  } else {
    sentences.push(m.rules_fact_no_foreplacing());
  }
  sentences.push(m.rules_fact_games({ games }));
  return sentences.join(' ');
}

/** Returns the rows of a table that compares rule sets. Each row has a heading, and one cell for each rule set. */
export function compare(sets: RuleFacts[]): { head: string; cells: string[] }[] {
  type Foreplacing = NonNullable<RuleFacts['foreplacing']>;
  const row = (head: string, cell: (facts: RuleFacts) => string) => ({ head, cells: sets.map(cell) });
  const foreplacing = (head: string, none: string, cell: (foreplacing: Foreplacing) => string) =>
    row(head, (facts) => (facts.foreplacing ? cell(facts.foreplacing) : none));
  return [
    foreplacing(m.dt_out(), m.dt_out_no(), (how) => (how.face_down ? m.dt_out_hidden() : m.dt_out_open())),
    foreplacing(m.dt_second(), m.dt_none(), (how) => (how.second_restricted ? m.dt_no() : m.dt_yes())),
    foreplacing(m.dt_worth(), m.dt_none(), (how) =>
      how.sole_doubled ? m.dt_worth_double() : m.dt_worth_more()
    ),
    foreplacing(m.dt_over(), m.dt_none(), (how) =>
      ({ either: m.dt_over_either, foreplacer: m.dt_over_foreplacer, nobody: m.dt_over_nobody })[
        how.overmate
      ]()
    ),
    row(m.dt_cards(), ({ deck }) => deck.ranks.map(({ letter }) => rankName(deck, letter)).join(', ')),
    row(m.dt_games(), ({ games }) => String(games))
  ];
}
