// Tests the marks of a review on the board, and the score sheet of a long match.
import { cleanup, render, screen, within } from '@testing-library/svelte';
import { afterEach, describe, expect, it } from 'vitest';
import type { Review, ReviewedAction, Seat } from '$lib/api/types';
import Board from '$lib/board/Board.svelte';
import { sideAt } from '$lib/board/sides';
import { sceneAt } from '$lib/game/scene';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { marksAt } from '$lib/review/marks';
import { reviewOpens } from '$lib/review/opens';
import { reasonSays } from '$lib/review/reasons';
import ScoreSheet from '$lib/table/ScoreSheet.svelte';
import { overmated } from './fixtures';

afterEach(() => {
  cleanup();
  overwriteGetLocale(() => 'en');
});

const action = (part: Partial<ReviewedAction>): ReviewedAction =>
  ({ index: 0, seat: 'first', action: '-', lost: 0, best: [], mistake: null, ...part }) as ReviewedAction;
const review = (...actions: ReviewedAction[]): Review => ({ actions }) as unknown as Review;

it('The text on a review that is not open yet names its condition', () => {
  const { match } = overmated;
  const alone = { kind: 'you', name: null, level: null, bot: false } as const;
  const friend = { ...alone, kind: 'friend' } as const;
  const current = { ...match.current, index: 2 };
  const base = { ...match, current, clocks: null, shared_deal: null };
  const helped = { ...base, players: { a: alone, b: { ...alone, kind: 'level', level: 3 } as const } };
  const people = { ...base, players: { a: alone, b: friend } };
  const [ownGame, bothGames] = ['The review opens after the end of the game.', /from the other side too\.$/];
  expect(reviewOpens(helped, 2)).toBe(ownGame);
  expect(reviewOpens(helped, 3)).toBe(ownGame);
  for (const index of [1, 2, 3]) expect(reviewOpens(people, index)).toMatch(bothGames);
  expect(reviewOpens({ ...helped, shared_deal: 'daily-2026-11-21' }, 2)).toMatch(bothGames);
  const clocks = {} as typeof match.clocks;
  expect(reviewOpens({ ...people, clocks }, 2)).toBe('The review opens after the end of the match.');
});

describe('the marks of a review', () => {
  it('name the played card with its loss, and the best cards', () => {
    const { seat, cards } =
      marksAt(review(action({ action: 'Kd', lost: 166, best: ['Ad', '(7h)'] })), 0) ?? {};
    expect(seat).toBe('first');
    expect([...(cards ?? [])]).toEqual([
      ['Ad', { kind: 'best', lost: null }],
      ['7h', { kind: 'best', lost: null }],
      ['Kd', { kind: 'played', lost: 166 }]
    ]);
  });

  it('mark a card that lost nothing as right, and nothing where no card was played', () => {
    const marks = review(
      action({}),
      action({ index: 1, action: 'Kd!', lost: 0, best: ['Kd!', 'Qd'] }),
      action({ index: 2, action: 'Qd', lost: null, best: [] })
    );
    expect([...(marksAt(marks, 0)?.cards ?? [])]).toEqual([]);
    expect([...(marksAt(marks, 1)?.cards ?? [])]).toEqual([['Kd', { kind: 'right', lost: 0 }]]);
    expect([...(marksAt(marks, 2)?.cards ?? [])]).toEqual([['Qd', { kind: 'played', lost: null }]]);
    expect(marksAt(marks, 3)).toBeNull();
  });

  it('are two distinct marks on the board, with names in both languages', () => {
    const { match, facts } = overmated;
    const [game] = match.finished;
    if (!game?.dealt) throw new Error('the fixture has a finished game');
    const scene = sceneAt(game, 0);
    const side = (seat: Seat) => sideAt(game, scene, seat, { name: seat, you: seat === 'first' });
    const [played = '', best = ''] = game.dealt.first;
    for (const [locale, ...names] of [
      ['en', 'was played, and lost 12 points', 'was best'],
      ['de', 'wurde gespielt und verlor 12 Punkte', 'war am besten']
    ] as const) {
      overwriteGetLocale(() => locale);
      const marks = marksAt(review(action({ action: played, lost: 12, best: [best] })), 0);
      const [top, bottom] = [side('second'), side('first')];
      render(Board, { deck: facts.deck, scene, top, bottom, marks });
      const [lossy, good] = [played, best].map((card) => screen.getByTestId(`card-${card}`));
      expect(lossy?.getAttribute('aria-label')).toContain(names[0]);
      expect(good?.getAttribute('aria-label')).toContain(names[1]);
      // The card that lost points and the best card have different symbols and frames, so that a viewer who cannot see
      // colours can tell them apart.
      expect(lossy?.textContent).toMatch(/▸.*−12/);
      expect(good?.textContent).toContain('★');
      expect([lossy?.className.includes('lossy'), good?.className.includes('good')]).toEqual([true, true]);
      expect(document.querySelectorAll('.lossy, .good')).toHaveLength(2);
      cleanup();
    }
  });
});

describe('the reason for a wrong choice at foreplacing', () => {
  it('follows from the choice and the best choices, in both languages', () => {
    const says = (played: string, ...best: string[]) =>
      reasonSays(
        action({ action: played, lost: 5, best, mistake: { kind: 'foreplacing', cards: [] } }),
        'first'
      );
    const all = () => [
      says('-', '(Td)', '(Kd)'),
      says('(Ac)', '-'),
      says('(Ac)', '(Td)'),
      says('(Ac)', '-', '(Td)')
    ];
    expect(all()).toEqual([
      'It was better to foreplace a card.',
      'It was better to foreplace nothing.',
      'It was better to foreplace another card.',
      'It was better to foreplace another card, or nothing.'
    ]);
    overwriteGetLocale(() => 'de');
    expect(all()).toEqual([
      'Es war besser, eine Karte vorzulegen.',
      'Es war besser, nichts vorzulegen.',
      'Es war besser, eine andere Karte vorzulegen.',
      'Es war besser, eine andere Karte oder nichts vorzulegen.'
    ]);
  });
});

describe('the score sheet beside the board', () => {
  it('has the games as columns in a long match, with the same figures', () => {
    const { match } = overmated;
    const scores = [{ a: 63, b: 0 }, { a: 0, b: 66 }, { a: 0, b: 0 }, null, null, null];
    const long = { ...match, games: 6, scores, totals: { a: 63, b: 66 } };
    render(ScoreSheet, { match: long, games: match.finished, brief: true });
    const rows = within(screen.getByTestId('score')).getAllByRole('row');
    expect(rows).toHaveLength(3);
    const figures = rows.slice(1).map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent)
    );
    expect(figures).toEqual([
      ['63', '0', '0', '', '', '', '63'],
      ['0', '66', '0', '', '', '', '66']
    ]);
    cleanup();
    render(ScoreSheet, { match: { ...long, games: 4, scores: scores.slice(0, 4) }, games: [], brief: true });
    expect(within(screen.getByTestId('score')).getAllByRole('row')).toHaveLength(6);
  });
});
