// Tests the panel of conditional answers, and the link to the next match in which it is the player's turn. Both ignore
// a new read of an unchanged match.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AnswerChoices, ConditionalAnswers, MatchState } from '$lib/api/types';
import { Problem } from '$lib/api/problem';
import ConditionalPanel from '$lib/table/ConditionalPanel.svelte';
import NextTurn from '$lib/table/NextTurn.svelte';
import { following } from './fixtures';

const api = vi.hoisted(() => ({
  answerChoices: vi.fn(),
  readAnswers: vi.fn(),
  setAnswers: vi.fn(),
  myMatches: vi.fn()
}));
vi.mock('$lib/api/api', () => api);

const { current } = following.match;
/** Match in which it is the opponent's turn. */
const match: MatchState = {
  ...following.match,
  you: (current.to_act === 'first') === (current.first === 'a') ? 'b' : 'a'
};
const deck = following.facts.deck;
const choices = (yours: boolean, ...actions: string[]): AnswerChoices =>
  ({ yours, legal: actions.map((action) => ({ action })) }) as AnswerChoices;
const stored: ConditionalAnswers = { sequence: match.sequence, branches: [] };

beforeEach(() => {
  vi.resetAllMocks();
  api.readAnswers.mockResolvedValue(stored);
  api.answerChoices.mockImplementation(async (_id, _sequence, line: string[]) =>
    line.length === 0 ? choices(false, 'Kd', 'Td') : choices(true, 'Ad')
  );
  api.setAnswers.mockImplementation(async (_id, answers: ConditionalAnswers) => answers);
  api.myMatches.mockResolvedValue([]);
});
afterEach(cleanup);

const choice = (action: string) =>
  vi.waitFor(() => {
    const found = document.querySelector<HTMLButtonElement>(`[data-action="${action}"]`);
    expect(found?.getAttribute('aria-disabled')).toBe('false');
    return found as HTMLButtonElement;
  });
const draft = () => screen.getByTestId('conditional-draft').textContent;

describe('the panel of conditional answers', () => {
  it('keeps the line being written when the match is read again without a change', async () => {
    const { rerender } = render(ConditionalPanel, { match, deck });
    expect(draft()).toBe('');
    await fireEvent.click(await choice('Kd'));
    await choice('Ad');
    const written = draft();
    expect(written).not.toBe('');
    await rerender({ match: { ...match }, deck });
    await vi.waitFor(() => expect(draft()).toBe(written));
    expect(api.readAnswers).toHaveBeenCalledTimes(1);
    await rerender({ match: { ...match, sequence: match.sequence + 1 }, deck });
    await vi.waitFor(() => expect(draft()).toBe(''));
    expect(api.readAnswers).toHaveBeenCalledTimes(2);
  });

  it('asks about a line with the sequence number of the answers, and takes one click at a time', async () => {
    const { rerender } = render(ConditionalPanel, { match, deck });
    const first = await choice('Kd');
    api.readAnswers.mockReturnValue(new Promise(() => {}));
    await fireEvent.click(first);
    await fireEvent.click(first);
    await choice('Ad');
    const asked = api.answerChoices.mock.calls.filter(([, , line]) => line.length > 0);
    expect(asked).toEqual([[match.id, stored.sequence, ['Kd']]]);
    // While the page reads newer conditional answers, a click on the button of an action sends no request.
    await rerender({ match: { ...match, sequence: match.sequence + 1 }, deck });
    await fireEvent.click(document.querySelector('[data-action="Ad"]') as Element);
    expect(api.answerChoices.mock.calls.filter(([, , line]) => line.length > 0)).toHaveLength(1);
  });

  it('says that an answer is kept and removed, and keeps the focus in the panel', async () => {
    render(ConditionalPanel, { match, deck });
    const first = await choice('Kd');
    first.focus();
    await fireEvent.click(first);
    await choice('Ad');
    await vi.waitFor(() => expect(document.activeElement?.id).toBe('conditional-next'));
    await fireEvent.click(await choice('Ad'));
    const save = screen.getByTestId('conditional-save');
    await vi.waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('false'));
    save.focus();
    await fireEvent.click(save);
    const said = screen.getByTestId('conditional-said');
    await vi.waitFor(() => expect(said.textContent).toBe('The answer is kept.'));
    const panel = screen.getByTestId('conditional');
    await vi.waitFor(() => expect(document.activeElement).toBe(panel));
    api.readAnswers.mockResolvedValue(api.setAnswers.mock.calls[0]?.[1]);
    const remove = await screen.findByRole('button', { name: /^Remove/ });
    await vi.waitFor(() => expect(remove.getAttribute('aria-disabled')).toBe('false'));
    remove.focus();
    await fireEvent.click(remove);
    await vi.waitFor(() => expect(said.textContent).toBe('The answer is removed.'));
    await vi.waitFor(() => expect(document.activeElement).toBe(panel));
    expect(api.setAnswers.mock.calls.map(([, { branches }]) => branches.length)).toEqual([1, 0]);
  });

  it('offers to read the answers again after a failure', async () => {
    api.readAnswers.mockRejectedValueOnce(new Problem('offline', ''));
    render(ConditionalPanel, { match, deck });
    await fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await choice('Kd');
  });
});

it('the link to the next turn reads the matches once for each change of the match', async () => {
  const { rerender } = render(NextTurn, { match });
  for (const sequence of [0, 0, 1])
    await rerender({ match: { ...match, sequence: match.sequence + sequence } });
  await vi.waitFor(() => expect(api.myMatches).toHaveBeenCalledTimes(2));
});
