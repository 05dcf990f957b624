// Computes the sides (players) of a board, as one viewer sees the game.
import type { GameState, Seat } from '$lib/api/types';
import type { Scene } from '$lib/game/scene';
import type { Side } from './types';

/** Returns the data of one side of the board: the player and their cards in the shown scene. */
export function sideAt(
  game: GameState,
  scene: Scene,
  seat: Seat,
  player: { name: string; you: boolean }
): Side {
  const toAct = scene.at < game.steps.length ? game.steps[scene.at]?.seat : game.to_act;
  const { hands, foreplaced } = scene;
  return {
    seat,
    ...player,
    hand: hands[seat],
    foreplaced: foreplaced[seat],
    candidates: foreplaced[seat]?.kind === 'hidden' ? game.foreplaced[seat].candidates : [],
    toAct: toAct === seat
  };
}
