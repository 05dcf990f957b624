// Describes tournament events in words.
import { serverNow } from '$lib/api/servertime';
import type { EventSummary, EventView, SeenEvent } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';

/** Returns the title of a tournament event. For an event without a title, returns its kind and length. */
export const titleOf = (event: EventSummary): string => event.title ?? kindSays(event);

/**
 * Describes the kind and the length of a tournament event. A Swiss event that ended without players has the length 0,
 * which is left out.
 */
export function kindSays({ kind }: EventSummary): string {
  if (kind.kind === 'arena') return m.events_arena_of({ n: kind.minutes });
  if (kind.rounds === 0) return m.events_swiss();
  return kind.rounds === 1 ? m.events_swiss_one() : m.events_swiss_of({ n: kind.rounds });
}

export const playersSay = (n: number): string =>
  n === 1 ? m.events_players_one() : m.events_players_many({ n });

/** Returns the name of the player with a given number in a tournament event. */
export const playerOf = (shown: EventView, number: number): string =>
  shown.standings.find((one) => one.number === number)?.handle ?? m.event_deleted();

/** Returns whether a running tournament event can still pair players. */
const canPair = ({ kind, round, ends_at }: EventSummary): boolean =>
  kind.kind === 'arena' ? !ends_at || Date.parse(ends_at) > serverNow() : round < kind.rounds;

/** Describes the next pairing of a player without a match in a running tournament event. */
export function waitSays({ event, boards }: EventView, number: number): string {
  if (event.kind.kind === 'arena') return canPair(event) ? m.event_wait_pair() : m.event_wait_over();
  const hasBye = boards.some(({ round, a, b }) => round === event.round && a === number && b === null);
  const next = canPair(event) ? m.event_wait_round() : m.event_wait_end();
  return hasBye ? `${m.event_wait_bye()} ${next}` : next;
}

/**
 * Explains to a player why a tournament event does not pair them. While pairing continues, the text also explains how
 * the player can return and, in a Swiss event, when the event ends without enough players.
 */
export function awaySays({ event }: EventView): string {
  if (event.state !== 'coming' && !canPair(event)) return m.event_away();
  const back = `${m.event_away()} ${m.event_away_back()}`;
  return event.kind.kind === 'swiss' ? `${back} ${m.event_away_few()}` : back;
}

/** Tells a player that their match in a tournament event has begun. Returns an empty text without a running match. */
export function begunSays({ shown, you }: SeenEvent): string {
  const board = shown.boards.find(
    ({ a, b, points }) => points === null && b !== null && (a === you.number || b === you.number)
  );
  if (!board || board.b === null) return '';
  const name = playerOf(shown, board.a === you.number ? board.b : board.a);
  return m.event_begun({ event: titleOf(shown.event), name });
}
