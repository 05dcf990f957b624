// Groups the blocks of the guide into sections. The deals of a section stand beside its text.
import type { Block, GuideDeal } from './blocks';

type Kind<K extends Block['kind']> = Extract<Block, { kind: K }>;

export interface Section {
  heading: Kind<'heading'>;
  /** Content blocks of a section of the guide, without its heading and its deals. */
  parts: Exclude<Block, Kind<'heading' | 'deal'>>[];
  deals: GuideDeal[];
}

/** Returns the sections of a guide. Each section begins with a heading. */
export function sectionsOf(blocks: Block[]): Section[] {
  const sections: Section[] = [];
  for (const block of blocks) {
    if (block.kind === 'heading') sections.push({ heading: block, parts: [], deals: [] });
    else if (block.kind === 'deal') sections.at(-1)?.deals.push(block.deal);
    else sections.at(-1)?.parts.push(block);
  }
  return sections;
}
