// Computes the scene after a given number of actions in a game: the cards on the table, in the hands and out of play.
// The source is the server's data, without the rules of the game.
import type { Answers, GameState, Hands, MatchState, Player, Seat, Step } from '$lib/api/types';
import { possibleAnswers } from './answers';

export interface Played {
  seat: Seat;
  card: string;
  demanded: boolean;
  free: boolean;
}

export type Foreplaced = { kind: 'none' } | { kind: 'card'; card: string } | { kind: 'hidden' } | null;

export interface Scene {
  /** Number of the game's actions (steps) that have been played in the shown position. */
  at: number;
  hands: Hands;
  lead: Played | null;
  /** Possible answers to the lead on the table; null without a lead. */
  answers: Answers | null;
  answer: Played | null;
  wonBy: Seat | null;
  mate: boolean;
  /** Number of the move on the table, or of the next move if the table is empty. Moves are counted from 1. */
  move: number;
  /** Seat that leads in the move on the table, or in the next move if the table is empty. */
  leader: Seat;
  piles: { first: string[]; second: string[] };
  foreplaced: { first: Foreplaced; second: Foreplaced };
  last: Step | null;
}

/** Returns the answers to a lead in the hands after the lead, without a card that certainly lies face down. */
function answersIn(
  { foreplaced }: GameState,
  { seat, card }: Pick<Played, 'seat' | 'card'>,
  answers: Answers,
  hands: Hands
): Answers {
  const other = otherSeat(seat);
  return possibleAnswers(answers, card, hands[other], foreplaced[other].candidates);
}

/** Returns the scene (position and cards on the table) after the first `at` actions of a game. */
export function sceneAt(game: GameState, at: number): Scene {
  const steps = game.steps.slice(0, at);
  const last = steps.at(-1) ?? null;
  const scene: Scene = {
    at: steps.length,
    hands: last?.hands ?? game.dealt ?? game.hands,
    lead: null,
    answers: null,
    answer: null,
    wonBy: null,
    mate: false,
    move: 1,
    leader: 'first',
    piles: { first: [], second: [] },
    foreplaced: { first: null, second: null },
    last
  };
  for (const step of steps) {
    if (step.kind === 'decline') {
      scene.foreplaced[step.seat] = { kind: 'none' };
    } else if (step.kind === 'foreplace' || step.kind === 'face_down') {
      scene.foreplaced[step.seat] = step.card ? { kind: 'card', card: step.card } : { kind: 'hidden' };
    } else if (step.card) {
      const played = {
        seat: step.seat,
        card: step.card,
        demanded: step.kind === 'demand',
        free: step.kind === 'free'
      };
      if (step.kind === 'lead' || step.kind === 'demand') {
        for (const before of [scene.lead, scene.answer]) {
          if (before) scene.piles[before.seat].push(before.card);
        }
        scene.lead = played;
        scene.answers = step.answers && answersIn(game, played, step.answers, step.hands);
        scene.answer = null;
        scene.wonBy = null;
      } else {
        scene.answer = played;
        scene.move = (step.move ?? 0) + 1;
        scene.leader = step.won_by ?? scene.leader;
        scene.wonBy = step.won_by ?? null;
      }
      scene.mate = step.mate;
    }
  }
  return scene;
}

/** Returns a seat's foreplaced card in the current state of a game. */
function foreplacedIn(game: GameState, seat: Seat): Foreplaced {
  const { kind, card } = game.foreplaced[seat];
  if (kind === 'card' && card) return { kind: 'card', card };
  return kind === 'face_down' ? { kind: 'hidden' } : null;
}

/** Returns the current scene (position and cards on the table) of a game whose earlier actions are unknown. */
export function presentScene(game: GameState): Scene {
  const scene = sceneAt(game, game.steps.length);
  const { lead, leader } = game;
  return {
    ...scene,
    ...(lead &&
      !scene.lead && {
        lead: { seat: leader, card: lead.card, demanded: lead.demanded, free: false },
        answers: answersIn(game, { ...lead, seat: leader }, lead.answers, game.hands)
      }),
    foreplaced: { first: foreplacedIn(game, 'first'), second: foreplacedIn(game, 'second') }
  };
}

/** Returns all games of a match that have begun, in the order of play. */
export function gamesOf(match: MatchState): GameState[] {
  const games = new Map(match.finished.map((game) => [game.index, game]));
  games.set(match.current.index, match.current);
  return [...games.values()].sort((a, b) => a.index - b.index);
}

export const otherSeat = (seat: Seat): Seat => (seat === 'first' ? 'second' : 'first');
export const otherPlayer = (player: Player): Player => (player === 'a' ? 'b' : 'a');

/** Returns the seat that a player, A or B, has in a game. */
export function seatOf(game: Pick<GameState, 'first'>, player: Player): Seat {
  return game.first === player ? 'first' : 'second';
}

/** Returns the player, A or B, who has a given seat in a game. */
export function playerOn(game: Pick<GameState, 'first'>, seat: Seat): Player {
  return seat === 'first' ? game.first : otherPlayer(game.first);
}
