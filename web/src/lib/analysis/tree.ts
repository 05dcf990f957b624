// Lines that were explored from one position: a tree, and its way into an address and back.

/** Where exploring begins. */
export interface Root {
  rules: string;
  deal?: string;
  position?: string;
}

/** What an analysis shows: where it began, the line to where it stands, and the other lines that were seen. */
export interface Exploration {
  root: Root;
  line: string[];
  also: string[][];
  /** The seat that plays by itself, without a fault. */
  perfect: 'first' | 'second' | null;
}

const split = (line: string): string[] => line.split(',').filter(Boolean);

/** Reads what the address holds; null if it names nothing to analyse. */
export function readAddress(query: URLSearchParams): Exploration | null {
  const rules = query.get('rules') ?? 'bga';
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

/** The address that brings all of it back. */
export function writeAddress({ root, line, also, perfect }: Exploration): string {
  const query = new URLSearchParams({ rules: root.rules });
  if (root.deal !== undefined) query.set('deal', root.deal);
  else if (root.position !== undefined) query.set('position', root.position);
  if (line.length > 0) query.set('line', line.join(','));
  if (also.length > 0) query.set('also', also.map((line) => line.join(',')).join(';'));
  if (perfect) query.set('perfect', perfect);
  return `/analysis?${query}`;
}

const startsWith = (line: string[], head: string[]) => head.every((action, at) => line[at] === action);

/** Goes to a line, keeping the one that is left if the new one does not go through it. */
export function goTo(exploration: Exploration, line: string[]): Exploration {
  const seen = [...exploration.also, exploration.line].filter((other) => other.length > 0);
  // Of lines that lie within each other only the longest is kept, and none that the new line covers.
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

/** The line one step further along what was seen; null where nothing follows. */
export function onward({ line, also }: Exploration): string[] | null {
  const longer = also.find((other) => other.length > line.length && startsWith(other, line));
  return longer?.slice(0, line.length + 1) ?? null;
}

/** A node of the tree, with the line that leads to it. */
export interface Node {
  action: string;
  line: string[];
  children: Node[];
}

/** All explored lines as a tree. */
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
