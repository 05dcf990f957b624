// Sends the HTTP requests to mute, block and report other players. Further requests read the operators' measures against
// the viewer, and confirm that the viewer has read a warning.
import { client, answer, done, on, beKnown } from './request';
import type { IgnoredPerson, IgnoreKind, MyMeasures, NewReport } from './types';

/** Returns the people whom the player has muted or blocked. */
export const myIgnored = (): Promise<IgnoredPerson[]> =>
  answer(client.GET('/api/v1/me/ignored')).then(({ ignored }) => ignored);

/** Ends a mute or block of a person. The id is that of an entry in the list of muted and blocked people. */
export const heed = (id: string): Promise<void> => done(client.DELETE('/api/v1/me/ignored/{id}', on(id)));

/** Begins or ends a mute or block of the player with a given handle. */
export async function ignorePlayer(handle: string, kind: IgnoreKind, ignored: boolean): Promise<void> {
  const path = { params: { path: { kind, handle } } };
  if (!ignored) return done(client.DELETE('/api/v1/me/ignored/{kind}/{handle}', path));
  await beKnown();
  return done(client.PUT('/api/v1/me/ignored/{kind}/{handle}', path));
}

/** Begins or ends a mute or block of the opponent in a match. */
export function ignoreOpponent(id: string, kind: IgnoreKind, ignored: boolean): Promise<void> {
  const path = { params: { path: { id, kind } } };
  return done(
    ignored
      ? client.PUT('/api/v1/matches/{id}/ignored/{kind}', path)
      : client.DELETE('/api/v1/matches/{id}/ignored/{kind}', path)
  );
}

/** Reports the opponent of a match to the operators. */
export const reportOpponent = (id: string, report: NewReport): Promise<void> =>
  done(client.POST('/api/v1/matches/{id}/report', { ...on(id), body: report }));

/** Returns the moderation measures of the operators against the player. */
export const myMeasures = (): Promise<MyMeasures> => answer(client.GET('/api/v1/me/measures'));

/** Confirms that the player has read the operators' warning. `at` is the time of the warning. */
export const confirmWarning = (at: number): Promise<void> =>
  done(client.POST('/api/v1/me/measures/confirm', { body: { at } }));
