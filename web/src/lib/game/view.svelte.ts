// Chooses the position that the page of a match shows. The page shows new actions one after another, or an earlier
// position that the viewer has chosen.
import type { GameState, MatchState } from '$lib/api/types';
import { moves, pace } from '$lib/settings.svelte';
import { storedReached, storeReached } from './reached';
import { gamesOf, playerOn, sceneAt, type Scene } from './scene';

/** Pause before the page shows the next action of a game, in milliseconds. */
const STEP_MS = 700;
/** Time for which the cards of a complete move or a mate stay on the board, in milliseconds. */
const REST_MS = 1400;
/** Duration of the first phase (`gather`) of the animated exchange of hands, in milliseconds. */
const GATHER_MS = 700;
const CROSS_MS = 1000;

export class TableView {
  /** Index, in the match, of the game that the page shows. */
  gameIndex = $state(0);
  /** Number of the game's steps (actions) that have been played in the shown position. */
  at = $state(0);
  /**
   * Whether the page shows new steps (actions) of the match as they arrive. The value is false while the viewer
   * looks at an earlier step.
   */
  following = $state(true);
  /**
   * Phase of the animated exchange of hands; null outside the animation. The phase `gather` comes first, and then
   * `cross`.
   */
  exchange = $state<'gather' | 'cross' | null>(null);

  /**
   * Latest position for which the pause `REST_MS` has ended or was skipped: the index of the game, and the number of
   * shown actions. After the pause, the cards of a complete move disappear from the board.
   */
  #rested = $state('');

  #match: () => MatchState | null;
  #begun = false;

  constructor(match: () => MatchState | null) {
    this.#match = match;
  }

  get games(): GameState[] {
    const match = this.#match();
    return match ? gamesOf(match) : [];
  }

  get game(): GameState | null {
    return this.games.find((game) => game.index === this.gameIndex) ?? this.#match()?.current ?? null;
  }

  get scene(): Scene | null {
    return this.game ? sceneAt(this.game, this.at) : null;
  }

  /** Whether the page shows the position after all actions of the shown game. */
  get caughtUp(): boolean {
    return this.game !== null && this.at === this.game.steps.length;
  }

  /** Whether the page shows the current state of the match. Only then can the player act. */
  get present(): boolean {
    return (
      this.following && !this.exchange && this.caughtUp && this.game?.index === this.#match()?.current.index
    );
  }

  /**
   * Whether the page still animates earlier steps (actions) before it shows the current state of the match. `skip`
   * ends the animation.
   */
  get hurries(): boolean {
    return this.following && (!this.caughtUp || this.exchange !== null);
  }

  get #moment(): string {
    return `${this.gameIndex} ${this.at}`;
  }

  /**
   * Whether the display pause after the latest action is over. The cards of a complete move then disappear from the
   * board.
   */
  get settled(): boolean {
    return this.following && this.caughtUp && this.#rested === this.#moment;
  }

  /** Whether the page still shows the end of a game, although the match has gone on to the next game. */
  get nextWaits(): boolean {
    const current = this.#match()?.current.index ?? 0;
    return this.following && this.caughtUp && this.gameIndex < current;
  }

  /**
   * Schedules the next change that brings the page closer to the current state of the match, such as the next
   * action. Must be called in an effect. Returns the function that cancels the change.
   */
  follow(): (() => void) | undefined {
    const match = this.#match();
    if (!match) return;
    if (!this.#begun) {
      this.#begun = true;
      if (!this.#toUnseenEnd()) this.toPresent();
      return;
    }
    // An undo can remove actions from the shown game, and can make the previous game the current game again.
    if (this.gameIndex > match.current.index) this.toPresent();
    const steps = this.game?.steps.length ?? 0;
    if (this.at > steps) this.at = steps;
    if (!this.following || this.exchange) return;
    if (this.at >= steps) {
      // If the match ends during the next game, such as by a resignation, the page leaves the finished game without a
      // click by the viewer.
      if (match.result && this.nextWaits) {
        this.toPresent();
        return;
      }
      const moment = this.#moment;
      if (this.#rested === moment) return;
      const timer = setTimeout(() => (this.#rested = moment), REST_MS * pace());
      return () => clearTimeout(timer);
    }
    // The player's own action is shown at once. The opponent's action follows after a pause.
    const next = this.game?.steps[this.at];
    const own = next !== undefined && this.game !== null && playerOn(this.game, next.seat) === match.you;
    // In a match with live clocks, the page shows the opponent's action without a pause.
    const timer = setTimeout(
      () => (this.at += 1),
      own || match.clocks?.setting.kind === 'live' ? 0 : STEP_MS * pace()
    );
    return () => clearTimeout(timer);
  }

  /**
   * Shows the position after all actions of the shown game immediately. During the exchange of hands, begins the next
   * game instead.
   */
  skip(): void {
    if (this.exchange) this.#begin(this.gameIndex + 1);
    else if (this.game) {
      this.at = this.game.steps.length;
      this.#rested = this.#moment;
    }
  }

  toPresent(): void {
    const match = this.#match();
    if (!match) return;
    this.gameIndex = match.current.index;
    this.at = match.current.steps.length;
    this.#rested = this.#moment;
    this.following = true;
    this.exchange = null;
    storeReached(match.id, this.gameIndex);
  }

  /**
   * Shows the end of the previous game if the viewer has perhaps not seen it: the current game has no action yet, or
   * the previous game is the latest game that this tab has shown. Returns whether the end is shown. While live clocks
   * run, the current game stays, to cost no time.
   */
  #toUnseenEnd(): boolean {
    const match = this.#match();
    if (!match || match.result || match.clocks?.setting.kind === 'live') return false;
    const index = match.current.index - 1;
    const previous = this.games.find((game) => game.index === index);
    if (!previous || (match.current.steps.length > 0 && storedReached(match.id) !== index)) return false;
    this.look(index, previous.steps.length);
    this.following = true;
    this.#rested = this.#moment;
    storeReached(match.id, index);
    return true;
  }

  /** Shows the position of a game after its first `at` actions. */
  look(gameIndex: number, at: number): void {
    const game = this.games.find((game) => game.index === gameIndex);
    if (!game) return;
    this.exchange = null;
    this.gameIndex = gameIndex;
    this.at = Math.max(0, Math.min(at, game.steps.length));
    const match = this.#match();
    this.following = gameIndex === match?.current.index && this.at === game.steps.length;
    if (match && this.following) storeReached(match.id, gameIndex);
  }

  back(): void {
    if (this.at > 0) this.look(this.gameIndex, this.at - 1);
    else if (this.gameIndex > 0) this.look(this.gameIndex - 1, Number.MAX_SAFE_INTEGER);
  }

  forward(): void {
    const steps = this.game?.steps.length ?? 0;
    if (this.at < steps) this.look(this.gameIndex, this.at + 1);
    else if (this.gameIndex < (this.#match()?.current.index ?? 0)) this.look(this.gameIndex + 1, 0);
  }

  /**
   * Switches the page from a finished game to the next game of the match. Within a round, the exchange of hands is
   * shown first.
   */
  next(): void {
    const match = this.#match();
    if (!match) return;
    const index = this.gameIndex + 1;
    if (index % 2 === 1 && moves()) {
      this.exchange = 'gather';
      setTimeout(() => this.exchange && (this.exchange = 'cross'), GATHER_MS);
      setTimeout(() => this.exchange && this.#begin(index), GATHER_MS + CROSS_MS);
    } else {
      this.#begin(index);
    }
  }

  #begin(gameIndex: number): void {
    this.gameIndex = gameIndex;
    this.at = 0;
    this.exchange = null;
    this.following = true;
    const match = this.#match();
    if (match) storeReached(match.id, gameIndex);
  }
}
