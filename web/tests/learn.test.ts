// Tests the lessons: their texts, the course of a lesson, and the stored progress.
import { describe, expect, test, vi } from 'vitest';
import { lessons, textsAt } from '$lib/learn/lessons';
import { LessonRun } from '$lib/learn/run.svelte';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { parts } from '$lib/text/written';
import type { Lesson, LessonChoice, LessonState } from '$lib/api/types';
import data from '../../crates/overmate-server/data/lessons.json';

/** Returns all lesson texts in a language, each with the game position of the lesson part to which the text belongs. */
function texts(locale: 'en' | 'de'): { text: string; position: string }[] {
  overwriteGetLocale(() => locale);
  return lessons.flatMap((lesson, at) =>
    lesson.parts.flatMap(({ task, wrong, right }, part) =>
      [task, wrong, right].map((text) => ({
        text: text(),
        position: data[at]?.parts[part]?.position ?? ''
      }))
    )
  );
}

describe('the texts of the lessons', () => {
  test('belong to the lessons of the server, part by part', () => {
    expect(lessons.map(({ id, parts }) => [id, parts.length])).toEqual(
      data.map(({ id, parts }) => [id, parts.length])
    );
    expect(lessons).toHaveLength(19);
  });

  test('name cards of their positions by their owners, and state no points', () => {
    let cards = 0;
    for (const locale of ['en', 'de'] as const) {
      for (const { text, position } of texts(locale)) {
        expect(text.length).toBeGreaterThan(10);
        // The text of a lesson states no points, and therefore contains no digits outside the card signs in brackets.
        // The page shows the points, which come from the server, beside the text.
        expect(text.replace(/\[[^\]]*\]/g, '')).not.toMatch(/\d/);
        const [hands = '', leader, , led = ''] = position.split(' ');
        const [first = '', second = ''] = hands.split('/');
        const learner = (led === '-') === (leader === 'first') ? 'first' : 'second';
        const own = learner === 'first' ? first : second;
        const other = (learner === 'first' ? second : first) + led + position;
        for (const part of parts(text)) {
          if (part.kind !== 'card') continue;
          expect(part.light ? own : other, text).toContain(part.card);
          cards += 1;
        }
      }
    }
    expect(cards).toBeGreaterThan(60);
  });
});

const choice = (action: string, right: boolean, next: number, value: number | null = null): LessonChoice => ({
  action,
  right,
  next,
  value
});
const state = (decides: boolean, ...choices: LessonChoice[]): LessonState => ({
  game: {} as LessonState['game'],
  decides,
  choices
});

const LESSON = {
  id: 'sample',
  rules: 'bga',
  parts: [
    {
      learner: 'first',
      states: [
        state(true, choice('Ac', true, 1, 30), choice('Kc', false, 3, -9)),
        state(false, choice('Tc', true, 2)),
        state(false),
        state(false, choice('Qc', true, 4)),
        state(false)
      ]
    },
    { learner: 'second', states: [state(true, choice('7d', true, 1, 7)), state(false)] }
  ]
} as unknown as Lesson;

describe('the goals of the lessons', () => {
  test('are a few words in both languages', () => {
    let goals = 0;
    for (const locale of ['en', 'de'] as const) {
      overwriteGetLocale(() => locale);
      for (const { goal, task } of lessons.flatMap(({ parts }) => parts)) {
        expect(goal().split(' ').length, goal()).toBeLessThanOrEqual(5);
        expect(goal()).toMatch(/^\p{Lu}[^.\d[]+$/u);
        expect(task().length).toBeGreaterThan(goal().length);
        goals += 1;
      }
    }
    expect(goals).toBe(40);
  });
});

describe('the way through a lesson', () => {
  test('follows a right action, the script, and the next part', () => {
    const run = new LessonRun(LESSON);
    expect(run.stage).toBe('open');
    run.act('7s');
    expect([run.stage, run.at, run.begun]).toEqual(['open', 0, false]);
    run.act('Ac');
    expect(run.begun).toBe(true);
    expect([run.stage, run.at]).toEqual(['script', 1]);
    run.step();
    expect([run.stage, run.isLastPart, run.values]).toEqual(['right', false, null]);
    run.next();
    expect([run.stage, run.part, run.at]).toEqual(['open', 1, 0]);
    run.show();
    expect([run.stage, run.isLastPart]).toEqual(['right', true]);
    run.restart();
    expect([run.stage, run.part, run.at, run.begun]).toEqual(['open', 0, 0, false]);
  });

  test('a wrong action is refuted with the values, and tried again', () => {
    const run = new LessonRun(LESSON);
    run.act('Kc');
    expect(run.stage).toBe('script');
    run.next();
    run.skip();
    expect([run.stage, run.values]).toEqual(['wrong', { value: -9, best: 30 }]);
    run.retry();
    expect([run.stage, run.at, run.values]).toEqual(['open', 0, null]);
    run.act('Ac');
    run.skip();
    expect(run.stage).toBe('right');
  });
});

describe('the texts of a decision', () => {
  const [part] = lessons[0]?.parts ?? [];
  if (!part) throw new Error('the first lesson has no part');

  test('are those of the part at its first decision only', () => {
    overwriteGetLocale(() => 'en');
    expect(textsAt(part, 'first')).toBe(part);
    const later = textsAt(part, 'later');
    expect([later.goal(), later.task(), later.wrong(), later.right()]).toEqual([
      '',
      'Go on: which card is best now?',
      'Another card gives you more points, or gives up fewer.',
      part.right()
    ]);
    expect(textsAt(part, 'forced').task()).toBe('Only one card can be played now.');
  });

  test('follow the decisions of a part, also while a reply or refutation is played', () => {
    const game = state(true, choice('Ac', true, 1, 9), choice('Kc', false, 6, 0));
    const later = state(true, choice('Qc', true, 3, 9), choice('7c', false, 4, 0));
    const forced = state(true, choice('7c', true, 5, 9));
    const reply = (next: number) => state(false, choice('Ad', true, next));
    const states = [game, reply(2), later, forced, reply(6), state(false), state(false)];
    const run = new LessonRun({ ...LESSON, parts: [{ learner: 'first', states }] } as unknown as Lesson);
    expect(run.decision).toBe('first');
    run.act('Ac');
    expect([run.stage, run.decision]).toEqual(['script', 'first']);
    run.step();
    expect([run.stage, run.decision]).toEqual(['open', 'later']);
    run.act('7c');
    expect([run.stage, run.decision]).toEqual(['script', 'later']);
    run.skip();
    expect([run.stage, run.decision, run.values]).toEqual(['wrong', 'later', { value: 0, best: 9 }]);
    run.retry();
    run.act('Qc');
    expect([run.stage, run.decision]).toEqual(['open', 'forced']);
    run.restart();
    expect(run.decision).toBe('first');
  });

  test('are true at later decisions: another card than the wrong one has a higher value', () => {
    let wrong = 0;
    interface Step {
      right: object;
      values: object;
    }
    const card = (action: string) => action.slice(0, 2);
    const later = data.flatMap(({ parts }) => parts.flatMap(({ steps }): Step[] => steps.slice(1)));
    for (const { right, values } of later) {
      const best = Object.keys(right).flatMap((actions) => actions.split(' '));
      const points = new Map<string, number>(Object.entries(values));
      for (const [action, value] of points) {
        if (best.includes(action)) continue;
        for (const other of best) {
          expect(card(other)).not.toBe(card(action));
          expect(points.get(other)).toBeGreaterThan(value);
        }
        wrong += 1;
      }
    }
    expect(wrong).toBe(11);
  });
});

describe('the progress', () => {
  test('is kept in the browser, each lesson once', async () => {
    vi.resetModules();
    const first = await import('$lib/learn/progress.svelte');
    first.finish('suit');
    first.finish('suit');
    first.finish('rank');
    vi.resetModules();
    const later = await import('$lib/learn/progress.svelte');
    expect(later.progress.done).toEqual(['suit', 'rank']);
  });

  test('begins anew if the stored text is damaged', async () => {
    localStorage.setItem('overmate-learn', '{"suit"');
    vi.resetModules();
    const { progress } = await import('$lib/learn/progress.svelte');
    expect(progress.done).toEqual([]);
  });
});
