// Formats the opponents, kinds of mistakes and statistics of the progress page as texts.
import type { MistakeCount, ProgressGame } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { getLocale } from '$lib/paraglide/runtime';

const KINDS: Record<NonNullable<MistakeCount['kind']>, () => string> = {
  'mate-overlooked': m.me_kind_mate_overlooked,
  'cheaper-mate': m.me_kind_cheaper_mate,
  'mate-too-early': m.me_kind_mate_too_early,
  foreplacing: m.me_kind_foreplacing,
  'mate-allowed': m.me_kind_mate_allowed,
  'last-answer': m.me_kind_last_answer,
  'move-lost': m.me_kind_move_lost,
  'move-won': m.me_kind_move_won
};

export const kindSays = (kind: MistakeCount['kind']): string =>
  kind === null ? m.me_kind_other() : KINDS[kind]();

/** Describes the opponent of a game in words. All people count as one opponent, and so do all programs. */
export function opponentSays({ opponent, level }: Pick<ProgressGame, 'opponent' | 'level'>): string {
  if (opponent === 'level') return m.player_level({ level: level ?? 0 });
  if (opponent === 'program') return m.me_program();
  return opponent === 'perfect' ? m.player_perfect() : m.me_person();
}

export const percent = (accuracy: number | null): string =>
  accuracy === null ? m.me_unknown() : m.me_accuracy_value({ percent: Math.round(100 * accuracy) });

/** Formats the mean of `count` numbers, given their sum, with at most one decimal. */
export const mean = (sum: number, count: number): string =>
  count === 0
    ? m.me_unknown()
    : new Intl.NumberFormat(getLocale(), { maximumFractionDigits: 1 }).format(sum / count);
