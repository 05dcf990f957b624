// Tests the texts on the values of an analysis: exact values, marked estimates, and proved bounds.
import { afterEach, describe, expect, it } from 'vitest';
import type { Analysis, Value } from '$lib/api/types';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { figureFor, pointsFor, valueSays } from '$lib/text/values';

afterEach(() => overwriteGetLocale(() => 'en'));

const exact = (points: number): Value => ({ exact: points, low: points, high: points });
const between = (low: number, high: number): Value => ({ exact: null, low, high });
const action = (value_for_first: Value, estimate_for_first: number | null, best = false) => ({
  action: 'Ac',
  value_for_first,
  estimate_for_first,
  best
});
const analysis = (value: Value, horizon: number | null, ...actions: Analysis['actions']): Analysis =>
  ({ value_for_first: value, horizon, actions }) as unknown as Analysis;

describe('the figure of an action', () => {
  it('is exact, marked as an estimate, or missing, in points for a seat', () => {
    expect(figureFor('first', action(exact(16), 16))).toBe('+16');
    expect(figureFor('second', action(exact(16), null))).toBe('−16');
    expect(figureFor('first', action(between(-264, 264), 42))).toBe('~+42');
    expect(figureFor('second', action(between(-264, 264), 42))).toBe('~−42');
    expect(figureFor('second', action(between(-264, 264), 0))).toBe('~0');
    expect(figureFor('first', action(between(-264, 264), null))).toBeNull();
  });
});

describe('the number by which actions are compared', () => {
  it('is the exact value, the estimate, or the lower bound for a seat', () => {
    expect(pointsFor('second', action(exact(16), null))).toBe(-16);
    expect(pointsFor('second', action(between(-264, 264), 42))).toBe(-42);
    expect(pointsFor('first', action(between(-4, 9), null))).toBe(-4);
    expect(pointsFor('second', action(between(-4, 9), null))).toBe(-9);
  });
});

describe('the value of a position', () => {
  it('gives the estimate of the best action, the horizon and the proved bounds', () => {
    const wide = between(-264, 108);
    const estimated = analysis(wide, 3, action(wide, -60), action(wide, -42, true));
    expect(valueSays(estimated)).toBe('About −42 for First by a search to depth 3. Proved: −264 to +108.');
    overwriteGetLocale(() => 'de');
    expect(valueSays(estimated)).toBe('Etwa −42 für den Ersten bei Suchtiefe 3. Bewiesen: −264 bis +108.');
  });

  it('is exact or between bounds without an estimate', () => {
    expect(valueSays(analysis(exact(-7), null, action(exact(-7), null, true)))).toBe(
      'Second wins 7 points with best play by both.'
    );
    const wide = between(-264, 108);
    expect(valueSays(analysis(wide, null, action(wide, null)))).toBe(
      'Between −264 and 108 points for First; nothing closer is proved.'
    );
  });
});
