// Computes best play after a wrong action in a puzzle.
import { analyse } from '$lib/engine/analyse';
import type { PlayedAction, Puzzle } from '$lib/api/types';

/** Maximum number of best-play actions that the page shows after a wrong action. */
const SHOWN = 3;

/** Returns the start of best play after a line of actions in a puzzle, with the seat that takes each action. */
export async function refute({ rules, position }: Puzzle, line: string[]): Promise<PlayedAction[]> {
  const best: PlayedAction[] = [];
  while (best.length < SHOWN) {
    // Each action has its own analysis, because only the analysed position names the seat whose turn it is. The card
    // does not tell the seat: in a double deck, both seats can hold the same card.
    const actions = [...line, ...best.map(({ action }) => action)];
    try {
      const { game, line: rest } = await analyse({ rules, position, actions });
      const [action] = rest;
      if (!game.to_act || !action) break;
      best.push({ seat: game.to_act, action });
    } catch (error) {
      // A later analysis can fail, such as at a limit of the server. The page then shows the actions that are known.
      if (best.length === 0) throw error;
      break;
    }
  }
  return best;
}
