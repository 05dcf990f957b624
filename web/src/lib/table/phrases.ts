// Holds the texts of the preset chat phrases, in the viewer's language.
import type { Phrase } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';

/**
 * Texts of all chat phrases, in the order of their buttons. A phrase of the server without a text is a compile error.
 */
export const phrases: Record<Phrase, () => string> = {
  good_luck: m.phrase_good_luck,
  well_played: m.phrase_well_played,
  thinking: m.phrase_thinking,
  back_soon: m.phrase_back_soon,
  thanks: m.phrase_thanks,
  good_game: m.phrase_good_game
};
