// Lists the rule sets in which matches against the computer can be rated.

/** Rule sets in which the strength of the computer opponents has been measured. */
export const ANCHORED: readonly string[] = ['sackson', 'bga', 'pagat', 'rael', 'denexa', 'bga+pinochle'];
