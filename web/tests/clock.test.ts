// Tests the times and texts of clocks.
import { render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Clock as ClockSetting, Clocks } from '$lib/api/types';
import type { Side } from '$lib/board/types';
import { inTurn } from '$lib/game/inturn';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import Absence from '$lib/table/Absence.svelte';
import Clock from '$lib/table/Clock.svelte';
import { clockText, awayFor, leftAfter, receivedAt, untilChange, warningAt } from '$lib/table/clock';
import PlayerStrip from '$lib/table/PlayerStrip.svelte';
import { clockExplained, clockSays } from '$lib/text/clocks';
import { following } from './fixtures';

afterEach(() => {
  vi.useRealTimers();
});

const clocks = (part: Partial<Clocks> = {}): Clocks => ({
  setting: { kind: 'live', base: 60, increment: 2 },
  a: 60_000,
  b: 30_000,
  running: 'a',
  runs_in: 0,
  paused_for: null,
  a_asks: false,
  b_asks: false,
  ...part
});

describe('clocks', () => {
  it('stand still while the player of a clock of days is away', () => {
    const days = { setting: { kind: 'days' as const, days: 3 }, runs_in: 5000 };
    expect(awayFor(clocks(days), 'a', 1000)).toBe(4000);
    expect(awayFor(clocks(days), 'a', 5000)).toBeNull();
    expect(awayFor(clocks(days), 'b', 1000)).toBeNull();
    expect(awayFor(clocks({ runs_in: 5000 }), 'a', 1000), 'a break between games').toBeNull();
  });

  it('run for one player, after the break, and never below zero', () => {
    expect(leftAfter(clocks(), 'a', 1500)).toBe(58_500);
    expect(leftAfter(clocks(), 'b', 1500)).toBe(30_000);
    expect(leftAfter(clocks({ runs_in: 5000 }), 'a', 4999)).toBe(60_000);
    expect(leftAfter(clocks({ runs_in: 5000 }), 'a', 6000)).toBe(59_000);
    expect(leftAfter(clocks(), 'a', 90_000)).toBe(0);
    expect(leftAfter(clocks({ a: null, running: 'b' }), 'a', 5)).toBeNull();
    expect(leftAfter(clocks({ running: null }), 'a', 5000)).toBe(60_000);
  });

  it('count from the time at which the page first saw them', () => {
    vi.useFakeTimers();
    const [first, next] = [clocks(), clocks()];
    const begin = receivedAt(first);
    vi.advanceTimersByTime(2500);
    expect([receivedAt(first), receivedAt(next)]).toEqual([begin, begin + 2500]);
  });

  it('go on from the same time when they are drawn anew', () => {
    vi.useFakeTimers();
    const props = { clocks: clocks(), player: 'a' as const, name: 'Anna', onwarn: vi.fn() };
    const { unmount } = render(Clock, props);
    expect(screen.getByTestId('clock-a').textContent).toBe('1:00');
    vi.advanceTimersByTime(5000);
    unmount();
    render(Clock, props);
    expect(screen.getByTestId('clock-a').textContent).toBe('0:55');
    expect(props.onwarn).not.toHaveBeenCalled();
  });

  it('say briefly that a player is away, and until when in the title', () => {
    const setting: ClockSetting = { kind: 'days', days: 3 };
    const shown = clocks({ setting, runs_in: 3_600_000 });
    render(Clock, { clocks: shown, player: 'a', name: 'Anna' });
    const clock = screen.getByTestId('clock-a');
    expect(clock.querySelector('[aria-hidden]')?.textContent).toBe('away');
    expect(clock.querySelector('.visually-hidden')?.textContent).toMatch(/^away until .*\d:\d\d/);
    expect(clock.title).toMatch(/^away until .*\d:\d\d.*3 days/);
  });

  it('say below the board who is away until when, and ask for the state at the end', () => {
    vi.useFakeTimers();
    const setting: ClockSetting = { kind: 'days', days: 3 };
    const [match, onend] = [{ ...following.match, you: 'b' } as const, vi.fn()];
    const props = { match, clocks: clocks({ setting, runs_in: 3_600_000 }), onend };
    const { rerender } = render(Absence, props);
    expect(screen.getByTestId('absence').textContent).toMatch(/ is away until .*\d:\d\d.* at the latest\.$/);
    vi.advanceTimersByTime(3_601_000);
    expect(onend).toHaveBeenCalledOnce();
    void rerender({ ...props, clocks: clocks({ setting }) });
    flushSync();
    expect(screen.queryByTestId('absence')).toBeNull();
  });

  it('announce nothing when the board is flipped', async () => {
    const side: Side = {
      seat: 'first',
      name: 'Anna',
      you: true,
      hand: [],
      foreplaced: { kind: 'none' },
      candidates: [],
      toAct: false
    };
    const props = { side, light: true, points: 0, phase: 'lead' as const, deck: following.facts.deck };
    const onwarn = vi.fn();
    const shown = { ...props, clocks: clocks({ a: 61_000 }), onwarn };
    const { rerender } = render(PlayerStrip, { ...shown, player: 'a' });
    expect(screen.getByTestId('clock-a').textContent).toBe('1:01');
    await rerender({ ...shown, player: 'b' });
    expect(screen.getByTestId('clock-b').textContent).toBe('0:30');
    expect(onwarn).not.toHaveBeenCalled();
  });

  it('have a text with tenths from ten seconds on', () => {
    const texts = [3_600_000, 3_599_000, 60_000, 59_001, 10_000, 9_900, 950, 0].map((left) =>
      clockText(left)
    );
    expect(texts).toEqual(['1:00:00', '59:59', '1:00', '1:00', '10.0', '9.9', '1.0', '0.0']);
    expect(clockText(9_400, 'de')).toBe('9,4');
  });

  it('have a setting in words, in both languages', () => {
    const live = (base: number, increment: number): ClockSetting => ({ kind: 'live', base, increment });
    const settings = [live(180, 2), live(60, 1), live(30, 0), live(60, 0)];
    expect(settings.map(clockSays)).toEqual([
      '3 minutes for the match and 2 more seconds for each action after the first',
      '1 minute for the match and 1 more second for each action after the first',
      '0.5 minutes for the match',
      '1 minute for the match'
    ]);
    expect(clockExplained(live(60, 1))).toMatch(/^Each player has 1 minute .*, and 1 more second for/);
    expect(clockExplained(live(60, 0))).toMatch(/^Each player has 1 minute for the whole match\. A player/);
    overwriteGetLocale(() => 'de');
    expect(settings.map(clockSays)).toEqual([
      '3 Minuten für die Partie und 2 Sekunden mehr für jede Aktion nach der ersten',
      '1 Minute für die Partie und 1 Sekunde mehr für jede Aktion nach der ersten',
      '0,5 Minuten für die Partie',
      '1 Minute für die Partie'
    ]);
    expect(clockExplained(live(60, 1))).toMatch(/^Jede Seite hat 1 Minute .*, und 1 Sekunde mehr für/);
    expect(clockExplained(live(60, 0))).toMatch(/^Jede Seite hat 1 Minute für die ganze Partie\. Wessen/);
  });

  it('have days and hours from a day on', () => {
    const [day, hour] = [86_400_000, 3_600_000];
    expect([7 * day, 3 * day - 1, day + hour, day].map((left) => clockText(left))).toEqual([
      '7d 0h',
      '3d 0h',
      '1d 1h',
      '1d 0h'
    ]);
    expect(clockText(day - 1000)).toBe('23:59:59');
    expect([untilChange(day + hour + 5), untilChange(day), untilChange(day - 1)]).toEqual([5, 1000, 999]);
  });

  it('change their text exactly when they tick', () => {
    let changes = 0;
    for (let left = 12_345; left > 0; changes += 1) {
      const wait = untilChange(left);
      expect(clockText(left - wait + 1)).toBe(clockText(left));
      left -= wait;
    }
    expect(changes).toBe(103);
  });

  it('warn once at a minute and at ten seconds', () => {
    expect([warningAt(60_001, 60_000), warningAt(60_000, 59_000), warningAt(61_000, 9_000)]).toEqual([
      60_000,
      null,
      10_000
    ]);
    expect([warningAt(10_001, 9_990), warningAt(9_990, 8_000)]).toEqual([10_000, null]);
  });
});

describe('matches', () => {
  it('come in the order in which their player should act', () => {
    const match = (id: string, your_turn: boolean, deadline: string | null) => ({ id, your_turn, deadline });
    const matches = [
      match('theirs', false, '2026-11-20T00:00:00Z'),
      match('any time', true, null),
      match('later', true, '2026-11-24T00:00:00Z'),
      match('any time, older', true, null),
      match('sooner', true, '2026-11-23T12:00:00Z')
    ];
    expect(inTurn(matches).map(({ id }) => id)).toEqual([
      'sooner',
      'later',
      'any time',
      'any time, older',
      'theirs'
    ]);
  });
});
