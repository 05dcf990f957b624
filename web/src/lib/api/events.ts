// Sends the HTTP requests that list, create, read and change tournament events.
import { client, answer, done, on } from './request';
import type { EventList, NewEvent, SeenEvent } from './types';

export const listEvents = (): Promise<EventList> => answer(client.GET('/api/v1/events'));

export const makeEvent = (body: NewEvent): Promise<SeenEvent> =>
  answer(client.POST('/api/v1/events', { body }));

/**
 * Reads the state of a tournament event. With a given version, the server delays its response until the event has
 * another version.
 */
export const readEvent = (id: string, after?: number, signal?: AbortSignal): Promise<SeenEvent> => {
  const query = after === undefined ? {} : { after, wait: 20 };
  const init = { params: { path: { id }, query }, ...(signal && { signal }) };
  return answer(client.GET('/api/v1/events/{id}', init));
};

/** Joins, leaves or immediately begins a tournament event. */
export const changeEvent = (id: string, what: 'join' | 'leave' | 'start'): Promise<SeenEvent> =>
  answer(client.POST(`/api/v1/events/{id}/${what}`, on(id)));

/** Cancels a tournament event before its start. */
export const removeEvent = (id: string): Promise<void> => done(client.DELETE('/api/v1/events/{id}', on(id)));
