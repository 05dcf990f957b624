// Describes the turning point of a finished match (the action that lost the most points) in one sentence.
import type { GameState, MatchState, Player, Review } from '$lib/api/types';
import { gamesOf, playerOn, seatOf } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';
import { cardIn } from '$lib/text/actions';
import { nameOf, points } from '$lib/text/words';
import { cardSign } from '$lib/text/written';

const scored = (game: GameState) => game.outcome?.points ?? 0;

const isPlayedOut = ({ result }: MatchState): boolean =>
  result !== null && !result.resigned && !result.abandoned;

/**
 * Returns the games whose reviews determine the turning point of a match: all games if the match was played to its
 * end, and otherwise none.
 */
export const gamesToReview = (match: MatchState): GameState[] => (isPlayedOut(match) ? gamesOf(match) : []);

/**
 * Returns the decisive game of a finished match: the game that scored the most points. Returns null if no player
 * scored, or if the match did not end with its last game.
 */
export function decisiveGame(match: MatchState): GameState | null {
  if (!isPlayedOut(match)) return null;
  const [most] = gamesOf(match).sort((a, b) => scored(b) - scored(a));
  return most && scored(most) > 0 ? most : null;
}

/** Action that lost points against best play, with its game. */
interface Costly {
  game: GameState;
  player: Player;
  /** Card that the action played or foreplaced; null if the player declined to foreplace. */
  card: string | null;
  lost: number;
}

/**
 * Returns the action that lost the most points in the reviewed games. In a match with a winner, only the
 * loser's actions count. Returns null if no such action lost points.
 */
function costliest(match: MatchState, reviews: Review[]): Costly | null {
  const costly = reviews.flatMap((review): Costly[] => {
    const game = gamesOf(match).find(({ index }) => index === review.game);
    // Actions in a game with a face-down card are never the turning point of a match. A player could not know the value
    // of an action that depended on this card.
    if (!game || review.had_hidden_card) return [];
    return review.actions.flatMap(({ action, seat, lost }) =>
      lost && playerOn(game, seat) !== match.result?.winner
        ? [{ game, player: playerOn(game, seat), card: cardIn(action), lost }]
        : []
    );
  });
  return costly.reduce<Costly | null>((most, one) => (most && most.lost >= one.lost ? most : one), null);
}

/**
 * Describes the turning point of a finished match in a sentence. The turning point is the action that lost the
 * most points. In a match with a winner, only the loser's actions count. Without reviews, or
 * if the player declined to foreplace at the turning point, the sentence names the mate of the decisive game. The
 * sentence is empty for a match that did not end with its last game.
 *
 * @param reviews reviews of the games from `gamesToReview`, as far as they are known
 * @param bottom player whose cards are light
 */
export function turningSays(match: MatchState, reviews: Review[], bottom: Player): string {
  const sign = (game: GameState, card: string, player: Player) =>
    cardSign(card, seatOf(game, player) === seatOf(game, bottom));
  if (!isPlayedOut(match)) return '';
  const decisive = decisiveGame(match);
  const worst = costliest(match, reviews);
  if (worst?.card) {
    const { game, player, card, lost } = worst;
    const inputs = { game: game.index + 1, card: sign(game, card, player), points: points(lost) };
    const [you, other] = decisive ? [m.turning_you, m.turning] : [m.turning_none_you, m.turning_none];
    return match.you === player ? you(inputs) : other({ ...inputs, name: nameOf(match, player) });
  }
  if (!decisive) {
    const isFaultless = (review?: Review) =>
      review && !review.had_hidden_card && review.actions.every(({ lost }) => lost === 0);
    const known = (game: GameState) => reviews.find((review) => review.game === game.index);
    return gamesOf(match).every((game) => isFaultless(known(game)))
      ? m.turning_none_faultless()
      : m.turning_none_known();
  }
  const { outcome, index, moves_max } = decisive;
  if (!outcome?.card || !outcome.by) return '';
  const says = match.result?.winner ? m.turning_mate : m.turning_mate_drawn;
  return says({
    game: index + 1,
    card: sign(decisive, outcome.card, playerOn(decisive, outcome.by)),
    move: outcome.move ?? moves_max,
    points: outcome.points
  });
}
