// What rule sets, variations and levels are called on the page.
import { m } from '$lib/paraglide/messages';
import type { Base, Deck, Variation } from './ruleset';

export const baseSummary: Record<Base, () => string> = {
  bga: m.rs_bga,
  sackson: m.rs_sackson,
  pagat: m.rs_pagat,
  denexa: m.rs_denexa,
  rael: m.rs_rael
};

export const variationName: Record<Variation, () => string> = {
  'free-move': m.var_free_move,
  'kings-privilege': m.var_kings_privilege,
  'figure-privilege': m.var_figure_privilege,
  'no-foreplacing': m.var_no_foreplacing
};

/** What the decks hold; the one of a rule set's own depends on its base. */
export function deckName(deck: Deck, base: Base): string {
  if (deck === 'double') return m.start_deck_double();
  if (deck === 'pinochle') return m.start_deck_pinochle();
  return base === 'rael' ? m.start_deck_single_chess() : m.start_deck_single();
}

export const levelNames = [
  m.start_level_1,
  m.start_level_2,
  m.start_level_3,
  m.start_level_4,
  m.start_level_5,
  m.start_level_6,
  m.start_level_7,
  m.start_level_8,
  m.start_level_9
];

/** The level behind the one big button. */
export const FRIENDLY = 3;
