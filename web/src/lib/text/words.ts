// Describes cards, actions, outcomes of games, and the reasons why a card cannot be played, in the reader's language.
import type {
  DeckFacts,
  GameState,
  MatchState,
  NotLegal,
  OutcomeState,
  Player,
  PlayerState,
  Seat,
  Step
} from '$lib/api/types';
import { cardOf, isChess } from '$lib/cards/deck';
import { eventOf } from '$lib/game/event';
import { playerOn } from '$lib/game/scene';
import { m } from '$lib/paraglide/messages';

const suits: Record<string, () => string> = {
  c: m.suit_c,
  s: m.suit_s,
  h: m.suit_h,
  d: m.suit_d,
  b: m.suit_b,
  g: m.suit_g,
  y: m.suit_y,
  r: m.suit_r
};
const ranks: Record<string, () => string> = {
  A: m.rank_A,
  T: m.rank_T,
  K: m.rank_K,
  Q: m.rank_Q,
  J: m.rank_J,
  '9': m.rank_9,
  '7': m.rank_7,
  R: m.rank_R,
  B: m.rank_B,
  N: m.rank_N
};

/** Returns the name of a suit. A custom deck has its own names. */
export function suitName(deck: DeckFacts, letter: string): string {
  return suits[letter]?.() ?? deck.suits.find((suit) => suit.letter === letter)?.name ?? letter;
}

export function rankName(deck: DeckFacts, letter: string): string {
  return ranks[letter]?.() ?? deck.ranks.find((rank) => rank.letter === letter)?.name ?? letter;
}

/** Returns the name of a card, such as `queen of spades`. */
export function cardName(deck: DeckFacts, text: string): string {
  const words = { suit: suitName(deck, text[1] ?? ''), rank: rankName(deck, text[0] ?? '') };
  return isChess(deck) ? m.card_chess(words) : m.card_french(words);
}

/** Formats the name of a card with its points. */
export function cardWithPoints(deck: DeckFacts, text: string): string {
  return m.card_points({ card: cardName(deck, text), points: cardOf(deck, text).rank.points });
}

export function points(n: number): string {
  return Math.abs(n) === 1 && n > 0 ? m.points_one() : m.points_many({ n: shown(n) });
}

/** Formats a number with a typographic minus sign. */
export function shown(n: number): string {
  return n < 0 ? `−${-n}` : String(n);
}

/** Formats a value with its sign, `+` or `−`. */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : shown(n);
}

/** Returns the name of a player in a match, or `You` if the player is the viewer. */
export function nameOf(match: Pick<MatchState, 'you' | 'players'>, player: Player): string {
  if (match.you === player) return m.you();
  // Spectators see `Player A` or `Player B` for a person without a name, so that they can tell two such players apart.
  if (match.you === null && !match.players[player].name && match.players[player].kind === 'friend') {
    return player === 'a' ? m.player_a() : m.player_b();
  }
  return playerName(match.players[player], player);
}

/** Formats a phrase that names the player who leads first in a game, such as `Anna leads`. */
export function leadsSays(match: Pick<MatchState, 'you' | 'players'>, player: Player): string {
  return match.you === player ? m.table_leads_you() : m.score_leads({ name: nameOf(match, player) });
}

/** Pattern that matches the letters of right-to-left scripts. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Wraps a name in characters that isolate its text direction, as the element `bdi` does. A name that is
 * written from right to left then does not reorder the words around the name. Other names stay unchanged. The
 * server removes direction characters from names.
 */
export function isolated(name: string): string {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * Returns the displayed name of a computer opponent. The argument is the server's name, such as `level:3`, `perfect`
 * or `program:mine`.
 */
export function computerName(computer: string): string {
  const [kind, name = ''] = computer.split(':');
  if (kind === 'program') return m.player_program({ name });
  return name ? m.player_level({ level: Number(name) }) : m.player_perfect();
}

export function playerName(facts: PlayerState, player: Player): string {
  if (facts.kind === 'program') return m.player_program({ name: facts.name ?? '' });
  if (facts.name) return isolated(facts.bot ? m.bot_named({ name: facts.name }) : facts.name);
  switch (facts.kind) {
    case 'level':
      return m.player_level({ level: facts.level ?? 0 });
    case 'perfect':
      return m.player_perfect();
    case 'friend':
      return m.player_friend();
    case 'deleted':
      return m.player_deleted();
    case 'open':
      return m.player_open();
    case 'you':
      return player === 'a' ? m.player_a() : m.player_b();
  }
}

type Said = (inputs: { name: string; card: string }) => string;
const said: Record<Step['kind'], { you: Said; other: Said }> = {
  decline: { you: m.says_decline_you, other: m.says_decline },
  foreplace: { you: m.says_foreplace_you, other: m.says_foreplace },
  face_down: { you: m.says_face_down_you, other: m.says_face_down },
  lead: { you: m.says_lead_you, other: m.says_lead },
  demand: { you: m.says_demand_you, other: m.says_demand },
  follow: { you: m.says_follow_you, other: m.says_follow },
  free: { you: m.says_free_you, other: m.says_free }
};

/** Describes a step (action) of a game in one or two sentences. */
export function stepSays(match: MatchState, game: GameState, deck: DeckFacts, step: Step): string {
  const words = (seat: Seat) => {
    const player = playerOn(game, seat);
    return { you: match.you === player, name: nameOf(match, player) };
  };
  const actor = words(step.seat);
  const inputs = { name: actor.name, card: step.card ? cardName(deck, step.card) : '' };
  const sentences = [actor.you ? said[step.kind].you(inputs) : said[step.kind].other(inputs)];
  if (step.won_by) {
    const winner = words(step.won_by);
    const won = { name: winner.name, move: step.move ?? 0 };
    sentences.push(winner.you ? m.says_won_you(won) : m.says_won(won));
  }
  return sentences.join(' ');
}

/** Describes the outcome of a game in a sentence. */
export function outcomeSays(match: MatchState, game: GameState, outcome: OutcomeState): string {
  if (outcome.kind === 'draw') return m.says_draw();
  const player = outcome.by ? playerOn(game, outcome.by) : null;
  const inputs = { name: player ? nameOf(match, player) : '', sum: outcome.sum ?? '' };
  const you = player !== null && match.you === player;
  switch (outcome.kind) {
    case 'resigned':
      if (match.result?.out_of_time) return you ? m.says_time_you() : m.says_time(inputs);
      if (player && match.players[player].kind === 'program') return m.says_forfeits(inputs);
      // In a tournament event, the server resigns for a player who misses the time limit for their first action.
      if (match.result?.abandoned && eventOf(match))
        return you ? m.says_given_up_you() : m.says_given_up(inputs);
      return you ? m.says_resigned_you() : m.says_resigned(inputs);
    case 'overmate':
      return you ? m.says_overmate_you(inputs) : m.says_overmate(inputs);
    case 'mate':
      return you ? m.says_mate_you(inputs) : m.says_mate(inputs);
  }
}

/** Explains why a card cannot be played. For a reason without a translation, returns the server's explanation. */
export function whyNot(deck: DeckFacts, lead: string | null, reason: NotLegal): string {
  // Suits and ranks have English names in the server's reason why a card cannot be played. From these names the page
  // finds the letters, and from the letters the names in the reader's language.
  const suit = deck.suits.find((suit) => suit.name === reason.suit)?.letter ?? lead?.[1] ?? '';
  const rank = deck.ranks.find((rank) => rank.name === reason.rank)?.letter ?? lead?.[0] ?? '';
  const words = { suit: suitName(deck, suit), rank: rankName(deck, rank) };
  switch (reason.code) {
    case 'game-over':
      return m.why_game_over();
    case 'foreplacing-restricted':
      return m.why_foreplacing_restricted();
    case 'must-follow-suit':
      return m.why_must_follow_suit(words);
    case 'must-follow-rank':
      return m.why_must_follow_rank(words);
    case 'must-answer-privilege':
      return m.why_must_answer_privilege(words);
    case 'must-follow-suit-of-privilege':
      return m.why_must_follow_suit_of_privilege(words);
    case 'not-in-deck':
    case 'not-held':
    case 'foreplacing-first':
    case 'no-foreplacing':
    case 'foreplacing-over':
    case 'nothing-to-demand':
    case 'demand-while-following':
    case 'free-while-leading':
    case 'no-free-move':
    case 'free-move-used':
    case 'free-move-not-needed':
    case 'neither-suit-nor-rank':
    case 'not-legal':
      return reason.why;
    default:
      reason.code satisfies never;
      return reason.why;
  }
}
