// Returns explanations of refused and failed requests in the reader's language.
import type { Problem } from '$lib/api/problem';
import type { Code } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';

/** Codes of problems that the page reports without the server. */
type OwnCode =
  | 'offline'
  | 'no-engine'
  | 'engine-failed'
  | 'storage'
  | 'own-rules'
  | 'passkey-cancelled'
  | 'passkey-known'
  | 'passkey-unusable';

/** Texts for all problem codes of the server and of the page. A code without a text is a compile error. */
const texts: Record<Code | OwnCode, () => string> = {
  offline: m.error_offline,
  'no-engine': m.error_no_engine,
  'engine-failed': m.error_engine_failed,
  storage: m.error_storage,
  'own-rules': m.error_own_rules,
  'bad-request': m.error_bad_request,
  'not-found': m.error_not_found,
  'method-not-allowed': m.error_unfit,
  'not-your-turn': m.error_not_your_turn,
  'illegal-action': m.error_illegal_action,
  conflict: m.error_conflict,
  'not-a-player': m.error_not_a_player,
  'invitation-used': m.error_invitation_used,
  'offers-full': m.error_offers_full,
  'events-full': m.error_events_full,
  'event-closed': m.error_event_closed,
  'event-full': m.error_event_full,
  'favourites-full': m.error_favourites_full,
  'ignored-full': m.error_ignored_full,
  'challenges-full': m.error_challenges_full,
  'offer-gone': m.error_offer_gone,
  'own-offer': m.error_own_offer,
  'code-refused': m.error_code_refused,
  'link-refused': m.error_link_refused,
  'sign-in-refused': m.error_sign_in_refused,
  'passkeys-off': m.error_passkeys_off,
  'passkey-refused': m.error_passkey_refused,
  'passkeys-full': m.error_passkeys_full,
  'last-way-in': m.error_last_way_in,
  'passkey-cancelled': m.error_passkey_cancelled,
  'passkey-known': m.error_passkey_known,
  'passkey-unusable': m.error_passkey_unusable,
  'password-wrong': m.error_password_wrong,
  'has-account': m.error_has_account,
  'token-refused': m.error_token_refused,
  'bot-refused': m.error_bot_refused,
  'tokens-full': m.error_tokens_full,
  'rated-pair-full': m.error_rated_pair_full,
  'rated-left-full': m.error_rated_left_full,
  'account-needed': m.error_account_needed,
  'signed-out': m.error_signed_out,
  'handle-taken': m.error_handle_taken,
  'handle-too-new': m.error_handle_too_new,
  'handle-not-valid': m.error_handle_not_valid,
  'password-length': m.error_password_length,
  'password-weak': m.error_password_weak,
  'match-over': m.error_match_over,
  'match-running': m.error_match_running,
  'not-allowed': m.error_not_allowed,
  'nothing-to-undo': m.error_nothing_to_undo,
  'match-full': m.error_match_full,
  'matches-full': m.error_matches_full,
  'name-too-long': m.error_name_too_long,
  'name-refused': m.error_name_refused,
  'text-too-long': m.error_text_too_long,
  'text-refused': m.error_text_refused,
  'talk-closed': m.error_talk_closed,
  'muted-by-operator': m.error_muted_by_operator,
  'account-closed': m.error_account_closed,
  'foreign-origin': m.error_foreign_origin,
  'too-many': m.error_too_many,
  'too-large': m.error_too_large,
  'unsupported-media-type': m.error_unfit,
  timeout: m.error_timeout,
  busy: m.error_busy,
  internal: m.error_internal
};

/** Kind of the viewer's input that the server may reject as invalid, such as a deal or a game record. */
export type Subject = 'rules' | 'deal' | 'hands' | 'record' | 'position';

/** Explanations of a refused request, by the kind of input. */
const unreadable: Record<Subject, () => string> = {
  rules: m.error_bad_rules,
  deal: m.error_bad_deal,
  hands: m.error_bad_hands,
  record: m.error_bad_record,
  position: m.error_bad_position
};

/**
 * Returns the explanation of a problem in the viewer's language. `about` is the part of the request that the viewer
 * wrote.
 */
export function problemSays({ code }: Problem, about: Subject | null = null): string {
  if (code === 'bad-request' && about) return unreadable[about]();
  return (texts as Partial<Record<string, () => string>>)[code]?.() ?? m.error_unfit();
}

/**
 * Returns the server's detailed English explanation of a problem. Returns null for problems without useful details.
 */
export function problemDetail({ code, message }: Problem): string | null {
  return code === 'bad-request' || code === 'illegal-action' ? message : null;
}
