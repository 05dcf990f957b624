// Tests the texts on tournament events and their matches.
import { describe, expect, it } from 'vitest';
import type { OutcomeState } from '$lib/api/types';
import { resultSays } from '$lib/table/status';
import { outcomeSays } from '$lib/text/words';
import { following } from './fixtures';

describe('a match that ended before both players had acted', () => {
  const result = { winner: null, margin: 0, resigned: 'a', out_of_time: null, abandoned: true } as const;
  const match = { ...following.match, you: 'b', result, shared_deal: null } as const;
  const by = match.current.first === 'a' ? 'first' : 'second';
  const sums = {
    card: null,
    move: null,
    multiplier: null,
    points: 0,
    points_for_first: 0,
    sum: null,
    value: null
  };
  const outcome: OutcomeState = { kind: 'resigned', by, ...sums };

  it('is not counted outside of events', () => {
    expect(resultSays(match).title).toBe('Not counted');
    expect(outcomeSays(match, match.current, outcome)).toMatch(/ resigns the match\.$/);
  });

  it('counts in an event, and names no resignation', () => {
    const counted = { ...match, shared_deal: 'event-1' } as const;
    expect(resultSays({ ...counted, you: 'a' })).toEqual({
      title: 'Given up',
      by: expect.stringMatching(/^You gave up or did not act in time.* You lose at least 20 points/)
    });
    expect(resultSays(counted).by).toMatch(/ gave up or did not act in time.* loses at least 20 points/);
    expect(outcomeSays(counted, match.current, outcome)).toMatch(/ gave up or did not act in time\.$/);
  });
});
