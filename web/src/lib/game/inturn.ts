// Order of matches by the turn of their player.
import type { MatchSummary } from '$lib/api/types';

type Turn = Pick<MatchSummary, 'your_turn' | 'deadline'>;

/** Returns matches in the order in which their player should act: those in which it is their turn first, by their deadlines. */
export function inTurn<Match extends Turn>(matches: Match[]): Match[] {
  const place = ({ your_turn, deadline }: Turn) => (!your_turn ? 2 : deadline ? 0 : 1);
  return matches.toSorted(
    (one, two) => place(one) - place(two) || (one.your_turn ? compare(one.deadline, two.deadline) : 0)
  );
}

/** Compares two times as texts in RFC 3339. */
const compare = (one: string | null, two: string | null): number =>
  Date.parse(one ?? '') - Date.parse(two ?? '') || 0;
