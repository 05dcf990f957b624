// Cards, steps, reasons and outcomes in the reader's language.
import type {
  DeckFacts,
  GameState,
  LegalAction,
  MatchState,
  NotLegal,
  OutcomeState,
  Player,
  PlayerState,
  Seat,
  Step
} from '$lib/api/types';
import { cardOf, isChess } from '$lib/cards/deck';
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

/** The name of a suit; a deck of one's own brings its names along. */
export function suitName(deck: DeckFacts, letter: string): string {
  return suits[letter]?.() ?? deck.suits.find((suit) => suit.letter === letter)?.name ?? letter;
}

export function rankName(deck: DeckFacts, letter: string): string {
  return ranks[letter]?.() ?? deck.ranks.find((rank) => rank.letter === letter)?.name ?? letter;
}

/** The name of a card: `queen of spades`. */
export function cardName(deck: DeckFacts, text: string): string {
  const words = { suit: suitName(deck, text[1] ?? ''), rank: rankName(deck, text[0] ?? '') };
  return isChess(deck) ? m.card_chess(words) : m.card_french(words);
}

/** The name of a card and its points. */
export function cardWithPoints(deck: DeckFacts, text: string): string {
  return m.card_points({ card: cardName(deck, text), points: cardOf(deck, text).rank.points });
}

export function points(n: number): string {
  return Math.abs(n) === 1 && n > 0 ? m.points_one() : m.points_many({ n: shown(n) });
}

/** A number with a true minus sign. */
export function shown(n: number): string {
  return n < 0 ? `−${-n}` : String(n);
}

/** A value with its sign, as one compares values. */
export function signed(n: number): string {
  return n > 0 ? `+${n}` : shown(n);
}

/** What to call a player of the match, seen from this page. */
export function nameOf(match: Pick<MatchState, 'you' | 'players'>, player: Player): string {
  if (match.you === player) return m.you();
  // Two nameless friends could not be told apart by those who watch them.
  if (match.you === null && !match.players[player].name && match.players[player].kind === 'friend') {
    return player === 'a' ? m.player_a() : m.player_b();
  }
  return playerName(match.players[player], player);
}

/** Who leads a game, in words. */
export function leadsSays(match: Pick<MatchState, 'you' | 'players'>, player: Player): string {
  return match.you === player ? m.table_leads_you() : m.score_leads({ name: nameOf(match, player) });
}

export function playerName(facts: PlayerState, player: Player): string {
  if (facts.name) return facts.name;
  switch (facts.kind) {
    case 'level':
      return m.player_level({ level: facts.level ?? 0 });
    case 'perfect':
      return m.player_perfect();
    case 'friend':
      return m.player_friend();
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

/** A step in a sentence or two. */
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

/** How a game ended, in a sentence. */
export function outcomeSays(match: MatchState, game: GameState, outcome: OutcomeState): string {
  if (outcome.kind === 'draw') return m.says_draw();
  const player = outcome.by ? playerOn(game, outcome.by) : null;
  const inputs = { name: player ? nameOf(match, player) : '', sum: outcome.sum ?? '' };
  const you = player !== null && match.you === player;
  switch (outcome.kind) {
    case 'resigned':
      return you ? m.says_resigned_you() : m.says_resigned(inputs);
    case 'overmate':
      return you ? m.says_overmate_you(inputs) : m.says_overmate(inputs);
    case 'mate':
      return you ? m.says_mate_you(inputs) : m.says_mate(inputs);
  }
}

/** What can be played, as it is said on request. */
export function legalSays(deck: DeckFacts, legal: LegalAction[]): string {
  const names = legal.map(({ card }) => (card ? cardName(deck, card) : m.choose_decline()));
  return names.length > 0 ? m.says_legal({ cards: [...new Set(names)].join(', ') }) : m.says_legal_none();
}

type Why = (inputs: { suit: string; rank: string }) => string;
const reasons: Record<string, Why> = {
  'game-over': m.why_game_over,
  'not-your-turn': m.why_not_your_turn,
  'foreplacing-restricted': m.why_foreplacing_restricted,
  'must-follow-suit': m.why_must_follow_suit,
  'must-follow-rank': m.why_must_follow_rank,
  'must-answer-privilege': m.why_must_answer_privilege,
  'must-follow-suit-of-privilege': m.why_must_follow_suit_of_privilege
};

/** Why a card cannot be played. What has no words here is told in the server's. */
export function whyNot(deck: DeckFacts, lead: string | null, reason: NotLegal): string {
  // The server names suit and rank as its rule set does; the letters lead to the reader's words.
  const suit = deck.suits.find((suit) => suit.name === reason.suit)?.letter ?? lead?.[1] ?? '';
  const rank = deck.ranks.find((rank) => rank.name === reason.rank)?.letter ?? lead?.[0] ?? '';
  const words = { suit: suitName(deck, suit), rank: rankName(deck, rank) };
  return reasons[reason.code]?.(words) ?? reason.why;
}
