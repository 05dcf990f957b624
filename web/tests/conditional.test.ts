// Tests the conversion of conditional answers between lines and a tree.
import { describe, expect, it } from 'vitest';
import { linesOf, withLine, withoutLine, type LineAction } from '$lib/table/conditional';
import type { AnswerBranch } from '$lib/api/types';

/** Parses a line of conditional answers such as `Tc +Kc Ah`. A plus stands before the viewer's own actions. */
const line = (text: string): LineAction[] =>
  text.split(' ').map((word) => ({ action: word.replace('+', ''), yours: word.startsWith('+') }));
const texts = (branches: AnswerBranch[]) =>
  linesOf(branches).map((found) =>
    found.map(({ action, yours }) => (yours ? `+${action}` : action)).join(' ')
  );
const tree = (...lines: string[]) =>
  lines.reduce((branches, text) => withLine(branches, line(text)), [] as AnswerBranch[]);

describe('conditional answers', () => {
  it('keeps lines with a common beginning as one branch', () => {
    const branches = tree('Tc +Kc Ah +Th', 'Tc +Kc Qh +Th', 'Ac +7c +Kd Ad +Td', 'Ts 7s +As');
    expect(branches).toEqual([
      {
        on: 'Tc',
        answers: ['Kc'],
        then: [
          { on: 'Ah', answers: ['Th'], then: [] },
          { on: 'Qh', answers: ['Th'], then: [] }
        ]
      },
      { on: 'Ac', answers: ['7c', 'Kd'], then: [{ on: 'Ad', answers: ['Td'], then: [] }] },
      { on: 'Ts', answers: [], then: [{ on: '7s', answers: ['As'], then: [] }] }
    ]);
    expect(texts(branches)).toEqual(['Tc +Kc Ah +Th', 'Tc +Kc Qh +Th', 'Ac +7c +Kd Ad +Td', 'Ts 7s +As']);
  });

  it('replaces another answer to the same action, with all that follows', () => {
    expect(texts(tree('Tc +Kc Ah +Th', 'Tc +Qc'))).toEqual(['Tc +Qc']);
    expect(texts(tree('Tc +Kc', 'Tc +Kc Ah +Th'))).toEqual(['Tc +Kc Ah +Th']);
  });

  it('removes the end of a line, and keeps the answers before it', () => {
    const branches = tree('Tc +Kc Ah +Th', 'Tc +Kc Qh +Th', 'Ts 7s +As');
    const one = withoutLine(branches, line('Tc +Kc Ah +Th'));
    expect(texts(one)).toEqual(['Tc +Kc Qh +Th', 'Ts 7s +As']);
    expect(texts(withoutLine(one, line('Tc +Kc Qh +Th')))).toEqual(['Tc +Kc', 'Ts 7s +As']);
    expect(texts(withoutLine(one, line('Ts 7s +As')))).toEqual(['Tc +Kc Qh +Th']);
    expect(texts(withoutLine(one, line('Kd +As')))).toEqual(texts(one));
  });
});
