// Defines the positions in the pictures of the start page, so that the pictures need no response of the server.
import type { Scene } from '$lib/game/scene';

/**
 * Creates the scene of a picture from the hands of both players and an optional led card. The card `led` is a lead by
 * *second* that gives mate.
 */
function picture(first: string, second: string, led: string | null): Scene {
  const lead = led === null ? null : { seat: 'second' as const, card: led, demanded: false, free: false };
  return {
    at: 0,
    hands: { first: first.split(' '), second: second.split(' ') },
    lead,
    answers: lead && { cards: [], free_move: [] },
    answer: null,
    wonBy: null,
    mate: lead !== null,
    move: 8,
    leader: 'second',
    piles: { first: [], second: [] },
    foreplaced: { first: null, second: null },
    last: null
  };
}

/** Scene (position and lead) for a picture in which the king of spades gives mate in move 8. */
export const MATE = picture('7h Ad Td', 'Tc 7c', 'Ks');
/** Points of the mate with the king of spades in the position `MATE`. */
export const MATE_POINTS = 32;

/** Scenes of the pictures beside the choices on the start page. */
export const PICTURES = {
  learn: picture('Ac Qc Qh 7h Ad Td Kd', 'Tc Kc 7c Ks Th', 'Kh'),
  computer: picture('Ac Qc 7c Ts As Ah Kh Qh Ad Td', 'Tc Kc Ks Qs 7s Th 7h Kd Qd 7d', null),
  friend: picture('Tc Kc Qc 7c As Ks Qs Ah Kh 7d', 'Ac Ts 7s Th Qh 7h Ad Td Kd Qd', null)
};
