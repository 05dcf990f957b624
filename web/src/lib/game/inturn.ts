// Orders matches by the turn of this browser's player.
import type { MatchSummary } from '$lib/api/types';

type Turn = Pick<MatchSummary, 'your_turn' | 'deadline'>;

/** Sorts matches for the player: those with their turn first, by deadline. */
export function inTurn<Match extends Turn>(matches: Match[]): Match[] {
  const place = ({ your_turn, deadline }: Turn) => (!your_turn ? 2 : deadline ? 0 : 1);
  return matches.toSorted(
    (one, two) => place(one) - place(two) || (one.your_turn ? compare(one.deadline, two.deadline) : 0)
  );
}

/** Compares two times in the format of RFC 3339. */
const compare = (one: string | null, two: string | null): number =>
  Date.parse(one ?? '') - Date.parse(two ?? '') || 0;
