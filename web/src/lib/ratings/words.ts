// Formats ratings as short texts and in words.
import type { Pace, RatedResults, RatingState } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { rulesTitle } from '$lib/text/rules';

export const paceSays = (pace: Pace): string =>
  ({ live: m.pace_live, correspondence: m.pace_correspondence })[pace]();

/** Formats the rule set and pace of a leaderboard as a title. */
export const boardSays = (board: { rules: string; rules_title: string; pace: Pace }): string =>
  `${rulesTitle(board)}, ${paceSays(board.pace)}`;

/** Formats the rule set of a match and, for a match with clocks, its pace. */
export const matchSays = (match: { rules: string; rules_title: string; pace: Pace | null }): string =>
  match.pace ? boardSays({ ...match, pace: match.pace }) : rulesTitle(match);

/** Formats a rating briefly, with a question mark for a provisional rating. */
export const ratingText = ({ rating, provisional }: RatingState): string =>
  `${rating}${provisional ? '?' : ''}`;

/** Formats a rating as a phrase that tells whether the rating is provisional. */
export const ratingSays = ({ rating, provisional }: RatingState): string =>
  (provisional ? m.rating_of_provisional : m.rating_of)({ rating });

export const resultsText = ({ wins, draws, losses }: RatedResults): string =>
  `${wins} · ${draws} · ${losses}`;
