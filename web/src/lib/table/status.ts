// Describes the state of the table in the sentences below the board, such as the player to act, the effect of a card,
// or the end of a game.
import type { Answers, DeckFacts, GameState, LegalAction, MatchState, RuleFacts, Seat } from '$lib/api/types';
import { answersTo } from '$lib/board/notes';
import { eventOf } from '$lib/game/event';
import { otherSeat, playerOn, type Scene } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';
import { plainLabel } from '$lib/text/actions';
import { answersSay, anyOf, cardSign, suitSign } from '$lib/text/written';
import { leadsSays, nameOf, outcomeSays, points, rankName, stepSays } from '$lib/text/words';

/** Status text below the board: a sentence, and a reason or advice. */
export interface Said {
  line: string;
  why: string;
}

/** Input for the status text of a match: the state of the match, and what the board shows. */
export interface Situation {
  match: MatchState;
  game: GameState;
  scene: Scene;
  deck: DeckFacts;
  foreplacing: RuleFacts['foreplacing'];
  /** Seat at the lower side of the board, whose cards are light. */
  bottom: Seat;
  legal: LegalAction[];
  /** Legal actions with the lifted (selected) card. The list is empty if no card is lifted. */
  lifted: LegalAction[];
  /** Whether the status text mentions mating leads. */
  seals: boolean;
}

const said = (line: string, why = ''): Said => ({ line, why });

/** Describes the exchange of hands in a sentence, for a player or a spectator. */
export function exchangeSays(match: MatchState): string {
  return match.you && match.you !== 'both' ? m.exchange_text() : m.exchange_text_watch();
}

/** Returns the name of the player in a seat, and whether a sentence addresses this player as *you*. */
function who({ match, game }: Situation, seat: Seat): { name: string; you: boolean } {
  const player = playerOn(game, seat);
  // A friend who has not joined the match yet has no name.
  const name = match.players[player].kind === 'open' ? m.player_expected() : nameOf(match, player);
  return { name, you: match.you === player };
}

const sign = ({ bottom }: Situation, card: string, seat: Seat): string => cardSign(card, seat === bottom);

/** Describes the choice of the player to act, or the effect of the lifted (selected) card. */
export function ownTurnSays(now: Situation): Said {
  const { match, game, legal, lifted } = now;
  const seat = game.to_act;
  if (!seat) return said('');
  const first = lifted[0];
  const turn = match.you === 'both' ? `${who(now, seat).name}: ` : '';
  if (game.phase === 'foreplace') {
    const card = first?.card ? sign(now, first.card, seat) : '';
    return said(turn + (card ? m.lift_foreplace({ card }) : m.turn_you_foreplace()), m.foreplace_why());
  }
  if (game.phase === 'lead' || !game.lead) return leadSays(now, seat, turn);
  const { card, demanded } = game.lead;
  const led = sign(now, card, otherSeat(seat));
  if (first?.card) {
    const inputs = { answer: sign(now, first.card, seat), card: led, name: who(now, otherSeat(seat)).name };
    if (game.move === game.moves_max) return said(m.lift_last(inputs));
    return first.wins ? said(m.lift_wins(inputs)) : said(m.lift_loses(inputs));
  }
  const { name } = who(now, otherSeat(seat));
  const rank = rankName(now.deck, card[0] ?? '');
  const inputs = { name, card: led, suit: suitSign(card[1] ?? ''), rank };
  // The note on the free move stands apart from these sentences.
  const cards = legal.flatMap(({ card, kind }) => (card && kind === 'follow' ? card : []));
  const [only] = cards;
  if (demanded) return said(m.follow_demanded(inputs));
  if (only && legal.length === 1) return said(m.follow_only({ ...inputs, answer: sign(now, only, seat) }));
  // The card identical to the lead has its suit and its rank. The answers beside it tell which of both is required.
  const others = cards.filter((other) => other !== card);
  const freely = legal.flatMap((action) => (action.card && action.kind === 'free' ? action.card : []));
  const inSuit =
    others.length > 0
      ? others.some((other) => other[1] === card[1])
      : freely.some((other) => other[1] !== card[1]);
  if (inSuit) return said(m.follow_suit(inputs), m.follow_suit_why());
  return said(m.follow_rank(inputs), m.follow_rank_why());
}

function leadSays(now: Situation, seat: Seat, turn: string): Said {
  const { game, lifted, legal, seals, deck } = now;
  const other = who(now, otherSeat(seat)).name;
  const next = game.multipliers[seat][game.move]?.factor;
  const wait = next ? m.lead_wait({ factor: next }) : '';
  const [first] = lifted;
  const rank = rankName(deck, first?.card?.[0] ?? '');
  const known = first && answersTo(game, first);
  if (first?.card && known) {
    if (known.cards.length === 0)
      return said(turn + m.lift_mate({ name: other, suit: suitSign(first.card[1] ?? ''), rank }), wait);
    const light = otherSeat(seat) === now.bottom;
    const signs = (answers: Answers) => answersSay(answers, light);
    const demand = lifted.find(({ kind }) => kind === 'demand');
    const demanded = demand && answersTo(game, demand);
    const demanding = !demanded
      ? ''
      : demanded.cards.length === 0
        ? m.lift_demand_mate({ rank })
        : m.lift_demand({ rank, cards: signs(demanded) });
    const inputs = { name: other, cards: signs(known) };
    if (!known.uncertain) return said(turn + m.lift_lead(inputs), demanding);
    if (known.cards.length + known.free_move.length > 1)
      return said(turn + m.lift_lead_hidden(inputs), demanding);
    if (known.otherwise.length === 0) return said(turn + m.lift_lead_hidden_mate(inputs), demanding);
    return said(
      turn + m.lift_lead_hidden_only({ ...inputs, others: anyOf(known.otherwise, light) }),
      demanding
    );
  }
  const mates = seals ? legal.filter(({ mate }) => mate) : [];
  if (mates.length === 0) return said(turn + m.turn_you_lead());
  const list = mates.map(({ card, mate }) =>
    m.lead_mate({ card: sign(now, card ?? '', seat), points: mate?.points ?? 0 })
  );
  return said(turn + m.lead_mates({ list: [...new Set(list)].join(', ') }), wait);
}

/** Describes the last shown action of a game or, after a complete move, the card that won the move. */
export function lastStepSays(now: Situation): Said {
  const { match, game, scene, deck } = now;
  const { lead, answer, wonBy, last } = scene;
  // The opponent's first action of the game has arrived, but the board does not show the action yet.
  if (!last) return said(`${leadsSays(match, game.first)}.`);
  if (!lead || !answer || !wonBy || last.won_by === null) return said(stepSays(match, game, deck, last));
  const [best, beaten] = wonBy === answer.seat ? [answer, lead] : [lead, answer];
  const winner = who(now, wonBy);
  const inputs = { card: sign(now, best.card, best.seat), beaten: sign(now, beaten.card, beaten.seat) };
  const next = game.multipliers[wonBy][scene.move - 1]?.factor;
  const why = next ? m.move_next({ factor: next }) : '';
  return said(winner.you ? m.move_won_you(inputs) : m.move_won({ ...inputs, name: winner.name }), why);
}

/** Describes the end of a game, and the reason for the end. */
export function endSays(now: Situation): Said {
  const { match, game, deck } = now;
  const { outcome } = game;
  if (!outcome) return said('');
  if (outcome.kind === 'draw') return said(m.end_draw_text());
  const winner = outcome.by;
  if (outcome.kind === 'resigned' || !outcome.card || !winner) return said(outcomeSays(match, game, outcome));
  const loser = who(now, otherSeat(winner));
  const inputs = {
    card: sign(now, outcome.card, winner),
    name: loser.name,
    suit: suitSign(outcome.card[1] ?? ''),
    rank: rankName(deck, outcome.card[0] ?? '')
  };
  const line = loser.you ? m.mated_you(inputs) : m.mated(inputs);
  if (outcome.kind !== 'overmate') return said(line);
  return said(line, now.foreplacing?.sole_doubled ? m.overmate_why_sole() : m.overmate_why());
}

/** Describes in a sentence whose turn it is, or that the invited friend has not joined the match yet. */
export function otherTurnSays(match: MatchState, game: GameState): string {
  if (!game.to_act) return '';
  const player = playerOn(game, game.to_act);
  const name = nameOf(match, player);
  if (match.invitation) return m.turn_wait_open();
  if (match.you === player) return m.turn_yours();
  if (match.you === null) return m.turn_name({ name });
  const { kind } = match.players[player];
  return kind === 'friend' || kind === 'open' ? m.turn_wait_friend({ name }) : m.turn_other({ name });
}

/** Formats the computation of a mate's points, such as `4 × 8 = 32`, with the name of the scoring player. */
export function sumSays(now: Situation): { sum: string; name: string } | null {
  const { outcome } = now.game;
  if (!outcome?.sum || !outcome.by) return null;
  const winner = who(now, outcome.by);
  return { sum: outcome.sum, name: winner.you ? m.sum_you() : m.sum_for({ name: winner.name }) };
}

/** Returns the label of the button for an action. */
export function actionLabel(now: Situation, action: LegalAction, hidden: boolean): string {
  const seat = now.game.to_act ?? now.bottom;
  const card = action.card ? sign(now, action.card, seat) : '';
  if (action.kind === 'foreplace' && hidden) return m.choose_foreplace_down({ card });
  if (action.kind === 'lead' && action.mate)
    return m.choose_mate({ card, points: points(action.mate.points) });
  if (action.kind === 'demand' && action.mate)
    return m.choose_demand_mate({
      card,
      rank: rankName(now.deck, action.card?.[0] ?? ''),
      points: points(action.mate.points)
    });
  if (action.kind === 'follow')
    return action.wins ? m.choose_answer_wins({ card }) : m.choose_answer_loses({ card });
  return plainLabel(now.deck, action, seat === now.bottom);
}

/**
 * Describes the winner of a finished match, with the margin or the reason of the result. Both texts are empty before
 * the end of the match.
 */
export function resultSays(match: MatchState): { title: string; by: string } {
  const { result } = match;
  if (!result) return { title: '', by: '' };
  if (result.abandoned && result.resigned && eventOf(match)) {
    const you = match.you === result.resigned;
    const by = you ? m.match_given_up_you() : m.match_given_up({ name: nameOf(match, result.resigned) });
    return { title: m.result_given_up(), by };
  }
  if (result.abandoned && !result.winner) return { title: m.result_abandoned(), by: m.match_abandoned() };
  if (!result.winner) return { title: m.result_drawn(), by: '' };
  const winner = nameOf(match, result.winner);
  const title = match.you === result.winner ? m.result_won_you() : m.result_won({ name: winner });
  if (!result.resigned) return { title, by: m.result_by({ margin: result.margin }) };
  const name = nameOf(match, result.resigned);
  const [you, other, watch] = result.out_of_time
    ? [m.match_time_you, m.match_time, m.match_time_watch]
    : [m.match_resigned_you, m.match_resigned, m.match_resigned_watch];
  if (match.you === result.resigned) return { title, by: you({ name: winner }) };
  return { title, by: match.you === result.winner ? other({ name }) : watch({ name, winner }) };
}
