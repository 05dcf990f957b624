// Puts the turning point of a finished match into one sentence.
import type { GameState, MatchState, Player, Review } from '$lib/api/types';
import { gamesOf, playerOn, seatOf } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';
import { cardIn } from '$lib/text/actions';
import { nameOf, points } from '$lib/text/words';
import { cardSign } from '$lib/text/written';

/**
 * Returns the decisive game of a finished match: the game with the most points. Returns null if no player
 * scored, or if the match did not end with its last game.
 */
export function decisiveGame(match: MatchState): GameState | null {
  if (!match.result || match.result.resigned || match.result.abandoned) return null;
  const scored = (game: GameState) => game.outcome?.points ?? 0;
  const [most] = gamesOf(match).sort((a, b) => scored(b) - scored(a));
  return most && scored(most) > 0 ? most : null;
}

/**
 * Describes the turning point of a match in a sentence. The turning point is the action that lost the most
 * points in the decisive game. Without a review, the sentence names the mate of that game.
 *
 * @param bottom player whose cards are light
 */
export function turningSays(
  match: MatchState,
  game: GameState,
  review: Review | null,
  bottom: Player
): string {
  const sign = (card: string, player: Player) =>
    cardSign(card, seatOf(game, player) === seatOf(game, bottom));
  const worst = review?.actions.find(({ index }) => index === review.turning_point);
  const card = worst && cardIn(worst.action);
  if (worst?.lost && card && !review?.had_hidden_card) {
    const player = playerOn(game, worst.seat);
    const inputs = { game: game.index + 1, card: sign(card, player), points: points(worst.lost) };
    return match.you === player
      ? m.turning_you(inputs)
      : m.turning({ ...inputs, name: nameOf(match, player) });
  }
  const { outcome } = game;
  if (!outcome?.card || !outcome.by) return '';
  const says = match.result?.winner ? m.turning_mate : m.turning_mate_drawn;
  return says({
    game: game.index + 1,
    card: sign(outcome.card, playerOn(game, outcome.by)),
    move: outcome.move ?? game.moves_max,
    points: outcome.points
  });
}
