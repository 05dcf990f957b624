// The table of one match as this browser uses it: what can be played, what is chosen, and what is said about it.
import { hint as askHint, resign, undo } from '$lib/api/api';
import type { Hint, LegalAction, Player, RuleFacts, Seat } from '$lib/api/types';
import { cardNotes, NO_NOTES } from '$lib/board/notes';
import type { Side } from '$lib/board/types';
import type { LiveMatch } from '$lib/game/live.svelte';
import { otherPlayer, otherSeat, seatOf } from '$lib/game/scene';
import { TableView } from '$lib/game/view.svelte';
import { m } from '$lib/paraglide/messages';
import { moves, settings } from '$lib/settings.svelte';
import { actionSays } from '$lib/text/actions';
import { legalSays, nameOf, points, signed } from '$lib/text/words';
import { Momentary } from '$lib/ui/momentary.svelte';
import { exchangeSays, statusSays } from './status';

/** Returns whether a click plays a card without confirmation, because the card's only action plays the card openly. */
const isPlain = ([action, ...others]: LegalAction[]): boolean =>
  others.length === 0 && (action?.kind === 'lead' || action?.kind === 'follow');

export class Table {
  readonly view: TableView;
  /** Whether the hand of the viewing player lies at the top. */
  flipped = $state(false);
  /** Text for screen readers; `turn` counts, so that equal texts are announced again. */
  aside = $state({ text: '', turn: 0 });
  #hint = $state.raw<Hint | null>(null);
  #chosen = new Momentary<string | null>(() => this.match?.sequence, null);
  /** Answer to the last request of the player, such as the reason why a card cannot be played. */
  #message = new Momentary(() => this.#moment, '');
  /** Reason why the card that has the keyboard focus cannot be played. */
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
  viewer = $derived.by<Player>(() => (this.match?.you === 'b' ? 'b' : 'a'));
  bottomPlayer = $derived.by<Player>(() => (this.flipped ? otherPlayer(this.viewer) : this.viewer));
  topPlayer = $derived.by<Player>(() => otherPlayer(this.bottomPlayer));
  top = $derived.by(() => this.#sideOf(this.topPlayer));
  bottom = $derived.by(() => this.#sideOf(this.bottomPlayer));

  /** Actions that this browser may take now. */
  legal = $derived.by<LegalAction[]>(() =>
    this.view.present && !this.live.pending && this.game ? this.game.legal : []
  );
  mayAct = $derived.by(() => this.legal.length > 0);
  activeSeat = $derived.by<Seat | null>(() => (this.mayAct && this.game ? this.game.to_act : null));
  decline = $derived.by(() => this.legal.find((action) => action.kind === 'decline') ?? null);
  /** Actions of the chosen card. */
  choices = $derived.by(() => (this.#chosen.value ? this.#actionsOf(this.#chosen.value) : []));
  chosen = $derived.by(() => (this.choices.length > 0 ? this.#chosen.value : null));

  notes = $derived.by(() => {
    if (!this.game || !this.mayAct) return NO_NOTES;
    const hint = this.#hint?.sequence === this.match?.sequence ? this.#hint : null;
    const values = (hint?.actions ?? []).map(({ action, points_for_you, best }) => ({
      action,
      value: signed(points_for_you),
      best
    }));
    return cardNotes(this.deck, this.game, this.legal, values);
  });

  totals = $derived.by(() =>
    this.match
      ? { bottom: this.match.totals[this.bottomPlayer], top: this.match.totals[this.topPlayer] }
      : null
  );

  /** Whether the table shows the end of a finished game. */
  ended = $derived.by(() => this.game?.outcome != null && this.view.caughtUp && !this.view.exchange);
  /** Whether the hands have been exchanged and nothing is played in the second game of the deal yet. */
  exchanged = $derived.by(
    () =>
      this.game !== null &&
      this.game.index % 2 === 1 &&
      this.view.at === 0 &&
      !this.game.outcome &&
      !this.live.pending
  );

  message = $derived.by(() => this.#message.value);
  status = $derived.by(() => {
    if (this.#about.value || !this.match) return this.#about.value;
    const sending = this.live.pending !== null;
    return statusSays(this.match, this.view, this.deck, { mayAct: this.mayAct, sending });
  });

  /** Step that the table shows, until whose change texts about a card stay valid. */
  get #moment(): string {
    return `${this.game?.index} ${this.view.at}`;
  }

  #actionsOf(card: string): LegalAction[] {
    return this.legal.filter((action) => action.card === card);
  }

  #sideOf(player: Player): Side | null {
    const { match, game, scene, view } = this;
    if (!match || !game || !scene) return null;
    const seat = seatOf(game, player);
    // Once the hands have crossed the table, each player has the hand that the other player was dealt.
    const handSeat = view.exchange === 'cross' ? otherSeat(seat) : seat;
    const dealt = (game.dealt ?? game.hands)[handSeat];
    return {
      seat,
      name: nameOf(match, player),
      you: match.you === player,
      hand: view.exchange ? dealt : scene.hands[seat],
      dealt,
      pile: view.exchange ? [] : scene.piles[seat],
      foreplaced: view.exchange ? null : scene.foreplaced[seat],
      toAct: view.caughtUp && !view.exchange && game.to_act === seat && !game.outcome
    };
  }

  act(action: string): void {
    this.#chosen.value = null;
    this.#message.value = '';
    this.live.act(action);
  }

  /** Handles a click on a card: plays it, offers its actions, or says why it cannot be played. */
  choose(card: string): void {
    this.#message.value = '';
    if (!this.view.caughtUp) return this.view.skip();
    if (!this.mayAct) return;
    const actions = this.#actionsOf(card);
    const [only] = actions;
    if (!only) {
      this.#chosen.value = null;
      this.#message.value = this.notes.get(card)?.why ?? '';
    } else if (isPlain(actions) && (!settings.confirm || this.chosen === card)) {
      this.act(only.action);
    } else {
      this.#chosen.value = this.chosen === card ? null : card;
    }
  }

  /** Handles a card dragged to the middle, which confirms the choice where the card has one action. */
  drop(card: string): void {
    const actions = this.#actionsOf(card);
    if (actions[0] && isPlain(actions)) this.act(actions[0].action);
    else this.choose(card);
  }

  /** Takes back the choice of a card; returns whether a card was chosen. */
  unchoose(): boolean {
    const chosen = this.chosen !== null;
    this.#chosen.value = null;
    return chosen;
  }

  /** Handles the keyboard focus that moves to a card. */
  look(card: string): void {
    this.#about.value = this.notes.get(card)?.why ?? '';
  }

  /** Goes from a finished game to the next game, and announces the next game. */
  goOn(): void {
    const { match, view } = this;
    view.next();
    // On a phone the button lies below the table that it leads to.
    scrollTo({ top: 0, behavior: moves() ? 'smooth' : 'auto' });
    if (!match) return;
    const next = view.exchange ? view.gameIndex + 1 : view.gameIndex;
    const words: string[] = [m.table_game_of({ game: next + 1, games: match.games })];
    if (next % 2 === 1) words.push(m.exchange_title(), exchangeSays(match));
    this.#announce(words.map((text) => text.replace(/\.?$/, '.')).join(' '));
  }

  async takeBack(): Promise<void> {
    if (!this.match?.undo) return;
    this.#chosen.value = null;
    if (await this.live.ask('undo', undo)) this.view.toPresent();
  }

  async resign(): Promise<void> {
    if (await this.live.ask('resign', resign)) this.view.toPresent();
  }

  async showHint(): Promise<void> {
    if (!this.match?.hint || !this.mayAct) return;
    const hint = await this.live.once('hint', askHint);
    if (!hint) return;
    await this.live.refresh();
    this.#hint = hint;
    const best = hint.actions.filter((action) => action.best);
    const cards = best.map((action) => actionSays(this.deck, action.action)).join(', ');
    this.#say(m.hint_best({ cards, points: points(best[0]?.points_for_you ?? 0) }));
  }

  /** Says which cards can be played. */
  sayLegal(): void {
    this.#say(legalSays(this.deck, this.legal));
  }

  #say(text: string): void {
    this.#announce(text);
    this.#message.value = text;
  }

  #announce(text: string): void {
    this.aside = { text, turn: this.aside.turn + 1 };
  }
}
