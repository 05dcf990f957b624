// Converts the explored lines of an analysis to a tree and to a page URL.

/** Deal or position at which an analysis begins. */
export interface Root {
  rules: string;
  deal?: string;
  position?: string;
}

/**
 * State of an analysis: the deal or position at which the analysis begins, the line of actions to the shown position,
 * and the other explored lines.
 */
export interface Exploration {
  root: Root;
  line: string[];
  also: string[][];
  /** Seat for which the page plays the best actions; null if the viewer plays both seats. */
  perfect: 'first' | 'second' | null;
}

const split = (line: string): string[] => line.split(',').filter(Boolean);

/**
 * Parses the state of an analysis from the query of a page URL. Returns null if the query names no deal and no
 * position.
 */
export function readAddress(query: URLSearchParams): Exploration | null {
  const rules = query.get('rules') || 'bga';
  const deal = query.get('deal');
  const position = query.get('position');
  if (!deal && !position) return null;
  const perfect = query.get('perfect');
  return {
    root: { rules, ...(deal ? { deal } : { position: position ?? '' }) },
    line: split(query.get('line') ?? ''),
    also: (query.get('also') ?? '')
      .split(';')
      .map(split)
      .filter((line) => line.length > 0),
    perfect: perfect === 'first' || perfect === 'second' ? perfect : null
  };
}

/** Returns the URL of the analysis page for the state of an analysis. */
export function writeAddress({ root, line, also, perfect }: Exploration): string {
  const query = new URLSearchParams({ rules: root.rules });
  if (root.deal !== undefined) query.set('deal', root.deal);
  else if (root.position !== undefined) query.set('position', root.position);
  if (line.length > 0) query.set('line', line.join(','));
  if (also.length > 0) query.set('also', also.map((line) => line.join(',')).join(';'));
  if (perfect) query.set('perfect', perfect);
  return `/analysis?${query}`;
}

/**
 * Returns whether a record contains its own rule set, which the URL of the analysis page cannot name. Overmate writes
 * the rule set into a record only if the catalogue does not have the same rule set.
 */
export const hasOwnRules = (record: string): boolean => /^\s*\[RuleSet\s/m.test(record);

const startsWith = (line: string[], head: string[]) => head.every((action, at) => line[at] === action);

/**
 * Returns a copy of an analysis state in which a given line of actions is the shown line. The previous line is kept
 * among the explored lines, unless the new line or another explored line begins with the same actions.
 */
export function goTo(exploration: Exploration, line: string[]): Exploration {
  const seen = [...exploration.also, exploration.line].filter((other) => other.length > 0);
  // The list `also` keeps an explored line of actions unless the shown line or another explored line begins with the
  // same actions.
  const also = seen.filter(
    (other, at) =>
      !startsWith(line, other) &&
      !seen.some(
        (longer, place) =>
          place !== at && startsWith(longer, other) && (longer.length > other.length || place < at)
      )
  );
  return { ...exploration, line, also };
}

/**
 * Returns the shown line of actions, extended by the next action of an explored line. Returns null if no explored
 * line continues the shown line.
 */
export function onward({ line, also }: Exploration): string[] | null {
  const longer = also.find((other) => other.length > line.length && startsWith(other, line));
  return longer?.slice(0, line.length + 1) ?? null;
}

/** Node in the tree of explored lines: an action, with the line of actions up to this action. */
export interface Node {
  action: string;
  line: string[];
  children: Node[];
}

/** Returns all explored lines of an analysis as a tree. */
export function treeOf(exploration: Exploration): Node[] {
  const roots: Node[] = [];
  for (const line of [exploration.line, ...exploration.also]) {
    let nodes = roots;
    line.forEach((action, at) => {
      let node = nodes.find((node) => node.action === action);
      if (!node) {
        node = { action, line: line.slice(0, at + 1), children: [] };
        nodes.push(node);
      }
      nodes = node.children;
    });
  }
  return roots;
}
