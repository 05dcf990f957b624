// Holds translated texts on the sources of the published rule sets. The catalogue of rule sets has only English texts on
// the sources.
import { m } from '$lib/paraglide/messages';

/**
 * Source of each published rule set, with the project's decisions on rules that the source leaves open, by the name
 * of the rule set. For a rule set without an entry, the page shows the source from the catalogue.
 */
export const publications: Partial<Record<string, { source: () => string; decisions?: () => string }>> = {
  bga: { source: m.rules_src_bga, decisions: m.rules_dec_bga },
  sackson: { source: m.rules_src_sackson, decisions: m.rules_dec_sackson },
  pagat: { source: m.rules_src_pagat },
  denexa: { source: m.rules_src_denexa, decisions: m.rules_dec_denexa },
  rael: { source: m.rules_src_rael, decisions: m.rules_dec_rael }
};
