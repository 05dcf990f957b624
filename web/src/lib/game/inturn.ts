// Sorts matches so that those in which this browser's player is to act come first.
import type { MatchSummary } from '$lib/api/types';

type Turn = Pick<MatchSummary, 'your_turn' | 'deadline'>;

/** Sorts matches: first the matches in which it is the player's turn, by deadline, then all others. */
export function inTurn<Match extends Turn>(matches: Match[]): Match[] {
  const place = ({ your_turn, deadline }: Turn) => (!your_turn ? 2 : deadline ? 0 : 1);
  return matches.toSorted(
    (one, two) => place(one) - place(two) || (one.your_turn ? compare(one.deadline, two.deadline) : 0)
  );
}

/** Compares two times in RFC 3339 format. A missing time (null) counts as equal to every time. */
const compare = (one: string | null, two: string | null): number =>
  Date.parse(one ?? '') - Date.parse(two ?? '') || 0;
