// Words the sentence under the table, which tells whose turn it is and the action to take.
import type { DeckFacts, GameState, MatchState } from '$lib/api/types';
import { playerOn } from '$lib/game/scene';
import type { TableView } from '$lib/game/view.svelte';
import { m } from '$lib/paraglide/messages';
import { cardName, nameOf, rankName, stepSays } from '$lib/text/words';

/** Returns the text about an exchange of hands, as a player or a spectator reads it. */
export function exchangeSays(match: MatchState): string {
  return match.you && match.you !== 'both' ? m.exchange_text() : m.exchange_text_watch();
}

/** Returns the status of the table, where `mayAct` says that this browser can act, and `sending` that an action is unanswered. */
export function statusSays(
  match: MatchState,
  view: TableView,
  deck: DeckFacts,
  { mayAct, sending }: { mayAct: boolean; sending: boolean }
): string {
  const { game, scene } = view;
  if (!game) return '';
  if (view.exchange) return exchangeSays(match);
  if (!view.following) return m.turn_past();
  if (!view.caughtUp && scene?.last) return stepSays(match, game, deck, scene.last);
  if (view.nextWaits || game.phase === 'over')
    return m.table_game_of({ game: game.index + 1, games: match.games });
  if (mayAct) return ownTurnSays(match, game, deck);
  return sending ? m.sending() : otherTurnSays(match, game);
}

function ownTurnSays(match: MatchState, game: GameState, deck: DeckFacts): string {
  if (!game.to_act) return '';
  const who = match.you === 'both' ? `${nameOf(match, playerOn(game, game.to_act))}: ` : '';
  if (game.phase === 'foreplace') return who + m.turn_you_foreplace();
  if (game.phase === 'lead' || !game.lead) return who + m.turn_you_lead();
  const { card, demanded } = game.lead;
  if (demanded) return who + m.turn_you_demanded({ rank: rankName(deck, card[0] ?? '') });
  return who + m.turn_you_follow({ card: cardName(deck, card) });
}

function otherTurnSays(match: MatchState, game: GameState): string {
  if (!game.to_act) return '';
  const player = playerOn(game, game.to_act);
  const name = nameOf(match, player);
  if (match.invitation) return m.turn_wait_open();
  if (match.you === player || match.you === null) return m.turn_name({ name });
  const { kind } = match.players[player];
  return kind === 'friend' || kind === 'open' ? m.turn_wait_friend({ name }) : m.turn_other({ name });
}
