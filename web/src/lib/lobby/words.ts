// Describes open offers in words.
import type { Clock, Offer } from '$lib/api/types';
import { m } from '$lib/paraglide/messages';
import { clockLabel } from '$lib/text/clocks';
import { rulesTitle } from '$lib/text/rules';
import { isolated } from '$lib/text/words';

/** Formats a time control in words. For null, tells that the match has no clock. */
export const clockOf = (clock: Clock | null): string => (clock ? clockLabel(clock) : m.start_clock_none());

/** Formats the time control of an offer, and tells whether the offer is rated. */
const paceOf = ({ clock, rated }: Offer): string =>
  rated ? `${clockOf(clock)}, ${m.lobby_rated()}` : clockOf(clock);

/** Formats the rule set and time control of an offer. */
export const termsOf = (offer: Offer): string => `${rulesTitle(offer)}, ${paceOf(offer)}`;

/** Formats the name of the player who made an offer, with a mark for a bot. */
export const makerOf = ({ from, bot }: Offer): string =>
  from ? isolated(bot ? m.bot_named({ name: from }) : from) : m.lobby_somebody();

/** Formats the player who made a challenge: the handle, and the name if the name differs from the handle. */
export const challengerOf = ({ handle, from }: Offer): string =>
  [handle, from !== handle && from && `(${isolated(from)})`].filter(Boolean).join(' ');

/** Formats a challenge with the name of its challenger, as a part of a label or a sentence. */
export const challengeSays = (offer: Offer): string =>
  m.lobby_offer({ rules: rulesTitle(offer), clock: paceOf(offer), name: challengerOf(offer) });

/** Formats an offer with the name of its maker, as a button label. */
export const offerSays = (offer: Offer): string =>
  m.lobby_offer({ rules: rulesTitle(offer), clock: paceOf(offer), name: makerOf(offer) });

/** Returns whether two time controls are equal. */
export const isSameClock = (one: Clock | null, other: Clock | null): boolean =>
  JSON.stringify(one && sorted(one)) === JSON.stringify(other && sorted(other));

const sorted = (clock: Clock) => Object.entries(clock).sort(([one], [other]) => one.localeCompare(other));

/**
 * Returns whether a match with a given time control is a live match rather than a match by correspondence. The value is
 * also true for a match without clocks (null).
 */
export const isLive = (clock: Clock | null | undefined): boolean => clock?.kind !== 'days';
