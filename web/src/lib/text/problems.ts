// Problems in the reader's language.
import type { Problem } from '$lib/api/problem';
import { m } from '$lib/paraglide/messages';

const texts: Record<string, () => string> = {
  offline: m.error_offline,
  'not-found': m.error_not_found,
  'not-a-player': m.error_not_a_player,
  'invitation-used': m.error_invitation_used,
  conflict: m.error_conflict,
  'not-your-turn': m.error_not_your_turn,
  'match-over': m.error_match_over,
  'match-running': m.error_match_running,
  'too-many': m.error_too_many,
  busy: m.error_busy
};

/** What to tell the reader; the server's own words where there are no better ones. */
export function problemSays(problem: Problem): string {
  return texts[problem.code]?.() ?? problem.message;
}
