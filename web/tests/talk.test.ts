// Tests that a closed dialog keeps the text of a chat message only until the message has been sent.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import type { LiveMatch } from '$lib/game/live.svelte';
import TalkPanel from '$lib/table/TalkPanel.svelte';
import { following } from './fixtures';

const api = vi.hoisted(() => ({
  readTalk: vi.fn(),
  sendTalk: vi.fn(),
  privacyFacts: vi.fn(),
  opponentRelation: vi.fn()
}));
vi.mock('$lib/api/api', () => api);

const answer = { writable: true, lines: [] };
const live = { talk: [], hear: () => {}, readAll: () => {} } as unknown as LiveMatch;

beforeEach(() => {
  vi.resetAllMocks();
  api.readTalk.mockResolvedValue(answer);
  api.privacyFacts.mockResolvedValue({ message_days: 90 });
  api.opponentRelation.mockRejectedValue(new Problem('not-found', ''));
});
afterEach(cleanup);

/** Opens the messages of a match, and returns the field for a new message. */
function open(id: string): Promise<HTMLInputElement> {
  render(TalkPanel, { live, match: { ...following.match, id } });
  return screen.findByTestId('talk-text');
}

async function send(field: HTMLInputElement, text: string): Promise<void> {
  await fireEvent.input(field, { target: { value: text } });
  await fireEvent.click(screen.getByTestId('talk-send'));
}

it('keeps no text that was sent after the dialog was closed', async () => {
  let respond = () => {};
  api.sendTalk.mockReturnValue(new Promise((resolve) => (respond = () => resolve(answer))));
  await send(await open('one'), 'good game');
  cleanup();
  respond();
  const field = await open('one');
  await vi.waitFor(() => expect(field.value).toBe(''));
});

it('keeps a text that was not sent, and repeats its request', async () => {
  api.sendTalk.mockRejectedValueOnce(new Problem('offline', '')).mockResolvedValue(answer);
  await send(await open('two'), 'good game');
  await screen.findByTestId('problem');
  cleanup();
  const field = await open('two');
  expect(field.value).toBe('good game');
  await fireEvent.click(screen.getByTestId('talk-send'));
  await vi.waitFor(() => expect(field.value).toBe(''));
  const [first, second] = api.sendTalk.mock.calls.map(([, text, client_id]) => [text, client_id]);
  expect(second).toEqual(first);
});
