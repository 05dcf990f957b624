// Tests that the typed text of a note survives new states of the match and a closed dialog.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Problem } from '$lib/api/problem';
import NoteField from '$lib/table/NoteField.svelte';

const api = vi.hoisted(() => ({ readNote: vi.fn(), setNote: vi.fn() }));
vi.mock('$lib/api/api', () => api);

beforeEach(() => {
  vi.clearAllMocks();
  api.readNote.mockResolvedValue('kept before');
  api.setNote.mockResolvedValue(undefined);
});
afterEach(cleanup);

const field = () => screen.getByTestId<HTMLTextAreaElement>('note');
const loaded = (text: string) =>
  vi.waitFor(() => expect([field().disabled, field().value]).toEqual([false, text]));

it('keeps the typed text when the match gets a new state', async () => {
  const { rerender } = render(NoteField, { id: 'one' });
  await loaded('kept before');
  await fireEvent.input(field(), { target: { value: 'typed' } });
  await rerender({ id: 'one' });
  await vi.waitFor(() => expect(field().value).toBe('typed'));
  expect(api.readNote).toHaveBeenCalledTimes(1);
});

it('keeps the typed text in a closed dialog until the note is kept, and says so', async () => {
  const first = render(NoteField, { id: 'two' });
  await loaded('kept before');
  await fireEvent.input(field(), { target: { value: 'typed' } });
  first.unmount();
  render(NoteField, { id: 'two' });
  await loaded('typed');
  await fireEvent.click(screen.getByTestId('note-save'));
  await vi.waitFor(() => expect(screen.getByTestId('note-said').textContent).toBe('Your note is saved.'));
  expect(api.setNote).toHaveBeenCalledWith('two', 'typed');
  cleanup();
  api.readNote.mockResolvedValue('typed elsewhere');
  render(NoteField, { id: 'two' });
  await loaded('typed elsewhere');
});

it('offers to read the note again after a failure', async () => {
  api.readNote.mockRejectedValueOnce(new Problem('offline', ''));
  render(NoteField, { id: 'three' });
  await fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await loaded('kept before');
});
