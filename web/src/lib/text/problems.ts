// Problems in the reader's language.
import type { Problem } from '$lib/api/problem';
import type { Code } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';

/** Words for whatever the server can send: a code without them does not compile. */
const texts: Record<Code | 'offline', () => string> = {
  offline: m.error_offline,
  'bad-request': m.error_bad_request,
  'not-found': m.error_not_found,
  'method-not-allowed': m.error_unfit,
  'not-your-turn': m.error_not_your_turn,
  'illegal-action': m.error_illegal_action,
  conflict: m.error_conflict,
  'not-a-player': m.error_not_a_player,
  'invitation-used': m.error_invitation_used,
  'match-over': m.error_match_over,
  'match-running': m.error_match_running,
  'not-allowed': m.error_not_allowed,
  'nothing-to-undo': m.error_nothing_to_undo,
  'foreign-origin': m.error_foreign_origin,
  'too-many': m.error_too_many,
  'too-large': m.error_too_large,
  'unsupported-media-type': m.error_unfit,
  timeout: m.error_timeout,
  busy: m.error_busy,
  internal: m.error_internal
};

/** What to tell the reader. */
export function problemSays({ code }: Problem): string {
  return (texts as Partial<Record<string, () => string>>)[code]?.() ?? m.error_unfit();
}

/** The server's own words, in English, where they say more: which card, which deal, which line of a record. */
export function problemDetail({ code, message }: Problem): string | null {
  return code === 'bad-request' || code === 'illegal-action' ? message : null;
}
