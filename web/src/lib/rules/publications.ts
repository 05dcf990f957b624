// Notes on the publications behind the rule sets, where a page has more to say than the catalogue.
import { m } from '$lib/paraglide/messages';

/** Source and decisions of a published rule set, by its name; a rule set without notes shows the catalogue's source. */
export const publications: Partial<Record<string, { source: () => string; decisions?: () => string }>> = {
  bga: { source: m.rules_src_bga, decisions: m.rules_dec_bga },
  sackson: { source: m.rules_src_sackson },
  pagat: { source: m.rules_src_pagat },
  denexa: { source: m.rules_src_denexa, decisions: m.rules_dec_denexa },
  rael: { source: m.rules_src_rael, decisions: m.rules_dec_rael }
};
