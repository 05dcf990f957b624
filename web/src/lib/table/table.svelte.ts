// Holds the state of the page of one match: the legal actions, the lifted card, and the texts.
import type { Factors, Hint, LegalAction, MatchState, Player, Review, RuleFacts, Seat } from '$lib/api/types';
import { answersTo, cardNotes, NO_NOTES } from '$lib/board/notes';
import { crossOf, type Side } from '$lib/board/types';
import type { LiveMatch } from '$lib/game/live.svelte';
import { otherPlayer, otherSeat, sceneAt, seatOf } from '$lib/game/scene';
import { TableView } from '$lib/game/view.svelte';
import { m } from '$lib/paraglide/messages';
import { playsAtOnce, settings } from '$lib/settings.svelte';
import { plain } from '$lib/text/written';
import { legalSays } from '$lib/text/actions';
import { nameOf } from '$lib/text/words';
import { Momentary } from '$lib/ui/momentary.svelte';
import { hintSays, hintValues } from './hints';
import * as says from './status';
import { gamesToReview, turningSays } from './turning';

/** Score factor of a mate in the shown move, with the reason for that factor. */
export interface Stake {
  factor: number;
  reason: string;
  /**
   * Name of the other player, and the score factor of a mate by this player; null if both players have the same
   * factor.
   */
  other: { name: string; factor: number } | null;
  /**
   * Whether the score factor is a preview: the factor of a mate in the first move if the player foreplaces the lifted
   * (selected) card.
   */
  isPreview: boolean;
}

/** Lowest level at which a computer opponent counts as strong. */
const STRONG_LEVEL = 7;

/**
 * Returns whether a player of a match is a strong computer opponent. Against such opponents the board marks no mates.
 */
function isStrong(match: MatchState | null): boolean {
  return Object.values(match?.players ?? {}).some(
    ({ kind, level }) => kind === 'perfect' || (kind === 'level' && (level ?? 0) >= STRONG_LEVEL)
  );
}

export class Table {
  readonly view: TableView;
  /** Whether the board is rotated by 180 degrees, so that the cards of the viewing player are dark. */
  flipped = $state(false);
  /**
   * Latest announcement for screen readers. The number `turn` changes with each text, so that a repeated text is
   * announced again.
   */
  aside = $state({ text: '', turn: 0 });
  #hint = $state.raw<Hint | null>(null);
  /**
   * Reviews of the games of the finished match that have arrived so far. The page finds the turning point of the match
   * from these reviews.
   */
  #reviews = $state.raw<Review[]>([]);
  /** Whether the end of the match was announced. */
  #endSaid = false;
  #lifted = new Momentary<string | null>(() => this.match?.sequence, null);
  /** Response to the player's last request, such as the reason why a card cannot be played. */
  #message = new Momentary(() => this.#moment, '');
  /**
   * Greeting at the beginning of a match. The greeting stays before the status text until the player's first action.
   */
  #greeting = $state('');
  /** Reason why the focused card cannot be played. */
  #about = new Momentary(() => this.#moment, '');

  constructor(
    readonly live: LiveMatch,
    readonly facts: RuleFacts
  ) {
    this.view = new TableView(() => live.state);
  }

  deck = $derived.by(() => this.facts.deck);
  match = $derived.by(() => this.live.state);
  game = $derived.by(() => this.view.game);
  scene = $derived.by(() => this.view.scene);
  /** Scene on the board: during the animated exchange of hands, the dealt hands without the last move of the game. */
  boardScene = $derived.by(() => (this.view.exchange && this.game ? sceneAt(this.game, 0) : this.scene));
  viewer = $derived.by<Player>(() => (this.match?.you === 'b' ? 'b' : 'a'));
  bottomPlayer = $derived.by<Player>(() => (this.flipped ? otherPlayer(this.viewer) : this.viewer));
  topPlayer = $derived.by<Player>(() => otherPlayer(this.bottomPlayer));
  top = $derived.by(() => this.#sideOf(this.topPlayer));
  bottom = $derived.by(() => this.#sideOf(this.bottomPlayer));

  /**
   * Whether seals (marks with points) show the mating leads on the board. The setting decides, but against a strong
   * computer opponent there are no seals.
   */
  seals = $derived.by(() => settings.seals && !isStrong(this.match));

  /** Whether the players have agreed on a pause of the clocks. During a pause no action is possible. */
  paused = $derived.by(() => (this.match?.clocks?.paused_for ?? null) !== null);
  /** Whether this browser's player can ask the opponent for a pause of the clocks. */
  mayPause = $derived.by(() => {
    const { match } = this;
    const clocks = match?.clocks;
    if (!clocks || clocks.setting.kind !== 'live' || !clocks.running || !this.live.withFriend) return false;
    return !this.paused && !clocks.a_asks && !clocks.b_asks;
  });
  /** Actions that this browser's player may take now. */
  legal = $derived.by<LegalAction[]>(() =>
    this.view.present && !this.live.pending && !this.paused && this.game ? this.game.legal : []
  );
  mayAct = $derived.by(() => this.legal.length > 0);
  activeSeat = $derived.by<Seat | null>(() => (this.mayAct && this.game ? this.game.to_act : null));
  decline = $derived.by(() => this.legal.find((action) => action.kind === 'decline') ?? null);
  /** Legal actions with the lifted (selected) card. */
  lifted = $derived.by(() => (this.#lifted.value ? this.#actionsOf(this.#lifted.value) : []));
  chosen = $derived.by(() => (this.lifted.length > 0 ? this.#lifted.value : null));
  /** Actions for which the page shows a button: the actions of the lifted (selected) card, or the only legal action. */
  choices = $derived.by(() => (this.chosen === null && this.legal.length === 1 ? this.legal : this.lifted));
  /**
   * Cross of the lifted card (its row and column, which contain all answers); null if the lifted card cannot be led.
   */
  cross = $derived.by(() => {
    const { game, lifted } = this;
    const answers = game && lifted[0] && answersTo(game, lifted[0]);
    return this.chosen !== null && answers ? crossOf(this.chosen, answers) : null;
  });

  /** Hint for the current position of the match, or null. */
  hint = $derived.by(() => (this.#hint?.sequence === this.match?.sequence ? this.#hint : null));
  notes = $derived.by(() => {
    if (!this.game || !this.mayAct) return NO_NOTES;
    return cardNotes(this.deck, this.game, this.legal, this.hint ? hintValues(this.hint) : []);
  });

  /** Whether the table shows the end of a finished game. */
  ended = $derived.by(() => this.game?.outcome != null && this.view.caughtUp && !this.view.exchange);
  /** Whether the match has ended and the table has shown the last move of the match. */
  matchOver = $derived.by(
    () =>
      this.ended &&
      this.match?.result != null &&
      this.game?.index === this.match.current.index &&
      this.view.settled
  );
  /** Whether the hands have been exchanged for the second game of a deal, and the second game has no action yet. */
  exchanged = $derived.by(
    () =>
      this.game !== null &&
      this.game.index % 2 === 1 &&
      this.view.at === 0 &&
      !this.game.outcome &&
      !this.live.pending
  );

  /** Score factor of a mate in the shown move; null for a game that ended without a mate. */
  stake = $derived.by<Stake | null>(() => {
    const { match, game, scene } = this;
    if (!match || !game || !scene) return null;
    const preview = this.chosen !== null && game.phase === 'foreplace' ? game.multiplier_foreplaced : null;
    if (preview) return { ...this.#stakeOf(preview, 1), other: null, isPreview: true };
    if (this.ended && !game.outcome?.multiplier) return null;
    const seat = this.ended ? (game.outcome?.by ?? scene.leader) : scene.leader;
    const move = this.ended ? (game.outcome?.move ?? scene.move) : scene.move;
    const own = this.multiplierOf(seat, move);
    const others = this.multiplierOf(otherSeat(seat), move);
    if (!own) return null;
    const player = seat === seatOf(game, 'a') ? 'b' : 'a';
    const other =
      others && others.factor !== own.factor ? { name: nameOf(match, player), factor: others.factor } : null;
    return { ...this.#stakeOf(own, move), other, isPreview: false };
  });

  /** Sentence about the turning point of the finished match; empty without a turning point. */
  turning = $derived.by(() => {
    const { match } = this;
    return match ? turningSays(match, this.#reviews, this.bottomPlayer) : '';
  });

  message = $derived.by(() => this.#message.value);
  /** State from which the status text is made; null while the match loads. */
  now = $derived.by<says.Situation | null>(() => {
    const { match, game, scene, deck, bottom, legal, lifted } = this;
    if (!match || !game || !scene || !bottom) return null;
    const { foreplacing } = this.facts;
    return { match, game, scene, deck, foreplacing, bottom: bottom.seat, legal, lifted, seals: this.seals };
  });
  status = $derived.by<says.Said>(() => {
    const { line, why } = this.#status;
    if (!this.#greeting) return { line, why };
    // Before the first action of a new match, the player who may not act sees only a greeting. The greeting already
    // says who leads.
    const isFirst = !this.mayAct && !this.scene?.last;
    return { line: isFirst ? this.#greeting : `${this.#greeting} ${line}`.trim(), why };
  });
  #status = $derived.by<says.Said>(() => {
    const { now, view } = this;
    if (!now || this.#about.value) return { line: this.#about.value, why: '' };
    const only = (line: string) => ({ line, why: '' });
    if (view.exchange) return only(says.exchangeSays(now.match));
    if (!view.following) return only(m.turn_past());
    if (this.matchOver && this.turning) return only(this.turning);
    if (this.ended) return says.endSays(now);
    if (!view.caughtUp || (!view.settled && now.scene.answer && !this.mayAct)) return says.lastStepSays(now);
    if (this.mayAct) return says.ownTurnSays(now);
    if (view.nextWaits || now.game.phase === 'over')
      return only(m.table_game_of({ game: now.game.index + 1, games: now.match.games }));
    return only(this.live.pending ? m.sending() : says.otherTurnSays(now.match, now.game));
  });

  /**
   * Key of the shown position: the index of the game, and the number of shown actions. A message about a card is valid
   * until the key changes.
   */
  get #moment(): string {
    return `${this.game?.index} ${this.view.at}`;
  }

  /**
   * Returns the score factors for a mate that a seat gives in a certain move. Returns null for a move that the game
   * does not have.
   */
  multiplierOf(seat: Seat, move: number): Factors | null {
    return this.game?.multipliers[seat][move - 1] ?? null;
  }

  /** Returns the score factor of a mate in a move, with the reasons for that factor. */
  #stakeOf({ counts_as, doubled, factor }: Factors, move: number): Pick<Stake, 'factor' | 'reason'> {
    const reasons = [
      ...(counts_as > move ? [m.stake_more({ move })] : []),
      ...(doubled ? [m.stake_doubled({ factor: counts_as })] : [])
    ];
    return { factor, reason: reasons.join(', ') };
  }

  #actionsOf(card: string): LegalAction[] {
    return this.legal.filter((action) => action.card === card);
  }

  #sideOf(player: Player): Side | null {
    const { match, game, boardScene: scene, view } = this;
    if (!match || !game || !scene) return null;
    const seat = seatOf(game, player);
    // In the phase `cross` of the animated exchange of hands, each player already has the opponent's former hand.
    const handSeat = view.exchange === 'cross' ? otherSeat(seat) : seat;
    return {
      seat,
      name: nameOf(match, player),
      you: match.you === player,
      hand: scene.hands[handSeat],
      foreplaced: scene.foreplaced[seat],
      candidates: scene.foreplaced[seat]?.kind === 'hidden' ? game.foreplaced[seat].candidates : [],
      toAct: view.caughtUp && !view.exchange && game.to_act === seat && !game.outcome && game.deal !== null
    };
  }

  act(action: string): void {
    this.#greeting = '';
    this.#lifted.value = null;
    this.#message.value = '';
    this.live.act(action);
  }

  /**
   * Lifts the clicked card, plays the card if it is already lifted, or shows the reason why the card cannot be played.
   */
  choose(card: string): void {
    this.#message.value = '';
    this.#about.value = '';
    if (!this.mayAct) return;
    const [only, ...more] = this.#actionsOf(card);
    if (!only) {
      this.#lifted.value = null;
      this.#message.value = this.notes.get(card)?.why ?? '';
      return;
    }
    const plays = this.chosen === card || playsAtOnce(only);
    if (more.length === 0 && plays) this.act(only.action);
    else this.#lifted.value = card;
  }

  /** Puts the lifted card back. Returns whether a card was lifted. */
  unchoose(): boolean {
    const chosen = this.chosen !== null;
    this.#lifted.value = null;
    this.#message.value = '';
    return chosen;
  }

  /** Shows the reason why the newly focused card cannot be played. */
  look(card: string): void {
    this.#about.value = this.notes.get(card)?.why ?? '';
  }

  /**
   * Shows the next game of the match after a finished game, and announces the new game to screen readers. During the
   * exchange of hands, a second call ends the animation.
   */
  goOn(): void {
    const { match, view } = this;
    if (view.exchange) return view.skip();
    view.next();
    if (!match) return;
    const next = view.exchange ? view.gameIndex + 1 : view.gameIndex;
    const words: string[] = [m.table_game_of({ game: next + 1, games: match.games })];
    if (next % 2 === 1) words.push(m.exchange_title(), says.exchangeSays(match));
    this.announce(words.map((text) => text.replace(/\.?$/, '.')).join(' '));
  }

  async takeBack(): Promise<void> {
    if (!this.match?.undo) return;
    this.#lifted.value = null;
    if (await this.live.ask('undo', this.live.keeper.undo)) this.view.toPresent();
  }

  /**
   * Announces the result of the match to screen readers, and finds the turning point. Later calls change nothing: a
   * look at an earlier position does not repeat the announcement.
   */
  sayEnd(): void {
    const { match } = this;
    if (this.#endSaid || !match) return;
    this.#endSaid = true;
    void this.findTurning();
    // The winner comes before the margin or the reason for the result. After an early end, these are two sentences.
    const isEarly = match.result?.resigned || match.result?.abandoned;
    const texts = Object.values(says.resultSays(match)).filter(Boolean);
    this.announce(texts.join(isEarly ? '. ' : ', '));
  }

  /**
   * Requests the reviews from which the page finds the turning point of the finished match. The text at the end of
   * the match then names the turning point.
   */
  async findTurning(): Promise<void> {
    const { match } = this;
    // The page requests reviews only for decks of at most 20 cards, because the server solves games with these decks
    // immediately.
    if (!match || this.deck.cards.length > 20) return;
    const games = gamesToReview(match).filter(({ index }) => match.reviewable[index]);
    const reviews = games.map(({ index }) =>
      // An error of a request for a review is ignored. Without the review, the sentence about the turning point names
      // the mate.
      this.live.keeper.review(match, index, this.live.watch).catch(() => null)
    );
    this.#reviews = (await Promise.all(reviews)).filter((review) => review !== null);
  }

  async resign(): Promise<void> {
    if (await this.live.ask('resign', this.live.keeper.resign)) this.view.toPresent();
  }

  /** Shows a hint for the current position, or hides the shown hint. */
  async showHint(): Promise<void> {
    if (!this.match?.hint || !this.mayAct) return;
    if (this.hint) {
      this.#hint = null;
      this.#message.value = '';
      return;
    }
    const hint = await this.live.hint();
    // A hint for an earlier state is dropped, because the match has gone on in another window. A hint with a later
    // sequence number is kept, because the page may read the state after the hint only later.
    if (!hint || hint.sequence < (this.match?.sequence ?? 0)) return;
    this.#hint = hint;
    const seat = this.activeSeat;
    if (seat) this.tell(hintSays(hint, this.legal, seat, seat === this.bottom?.seat));
  }

  /** Announces the playable cards to screen readers. */
  sayLegal(): void {
    this.tell(legalSays(this.deck, this.legal));
  }

  /**
   * Shows a greeting before the status text until the player's first action, and announces the greeting to
   * screen readers.
   */
  greet(text: string): void {
    this.announce(text);
    this.#greeting = text;
  }

  /** Shows a sentence instead of the status text until the next action of the game. */
  tell(text: string): void {
    this.announce(plain(this.deck, text));
    this.#message.value = text;
  }

  /** Announces a text to screen readers. */
  announce(text: string): void {
    this.aside = { text, turn: this.aside.turn + 1 };
  }
}
