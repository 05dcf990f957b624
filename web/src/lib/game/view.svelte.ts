// Which moment of a match the page shows: the present, to which it catches up step by step, or the past.
import type { GameState, MatchState } from '$lib/api/types';
import { moves } from '$lib/settings.svelte';
import { gamesOf, playerOn, sceneAt, type Scene } from './scene';

/** How long a step stays before the next one follows, in milliseconds. */
const STEP_MS = 700;
/** How long the two parts of an exchange of hands take. */
const GATHER_MS = 700;
const CROSS_MS = 1000;

export class TableView {
  /** The game that is shown, by its index in the match. */
  gameIndex = $state(0);
  /** How many of its steps are shown. */
  at = $state(0);
  /** Whether the page follows the present; false while somebody looks back. */
  following = $state(true);
  /** While the hands change sides: first they are gathered as they were dealt, then they cross the table. */
  exchange = $state<'gather' | 'cross' | null>(null);

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

  /** Whether what is shown is the latest of its game. */
  get caughtUp(): boolean {
    return this.game !== null && this.at === this.game.steps.length;
  }

  /** Whether what is shown is the present of the match: only then can one play. */
  get present(): boolean {
    return (
      this.following && !this.exchange && this.caughtUp && this.game?.index === this.#match()?.current.index
    );
  }

  /** Whether the shown game has ended and a later one waits. */
  get nextWaits(): boolean {
    const current = this.#match()?.current.index ?? 0;
    return this.following && this.caughtUp && this.gameIndex < current;
  }

  /** To be called in an effect: brings what is shown nearer to the state. Returns how to stop it. */
  follow(): (() => void) | undefined {
    const match = this.#match();
    if (!match) return;
    if (!this.#begun) {
      this.#begun = true;
      this.toPresent();
      return;
    }
    // After an undo there can be fewer steps, or the game before can be the current one again.
    if (this.gameIndex > match.current.index) this.toPresent();
    const steps = this.game?.steps.length ?? 0;
    if (this.at > steps) this.at = steps;
    if (!this.following || this.exchange || this.at >= steps) return;
    // One's own action is shown at once; an answer takes a moment, to be seen.
    const next = this.game?.steps[this.at];
    const own = next !== undefined && this.game !== null && playerOn(this.game, next.seat) === match.you;
    const timer = setTimeout(() => (this.at += 1), own ? 0 : moves() ? STEP_MS : STEP_MS / 2);
    return () => clearTimeout(timer);
  }

  /** Shows at once all that has happened in the game shown. */
  skip(): void {
    if (this.exchange) this.#begin(this.gameIndex + 1);
    else if (this.game) this.at = this.game.steps.length;
  }

  toPresent(): void {
    const match = this.#match();
    if (!match) return;
    this.gameIndex = match.current.index;
    this.at = match.current.steps.length;
    this.following = true;
    this.exchange = null;
  }

  /** Looks at the game after `at` of its steps. */
  look(gameIndex: number, at: number): void {
    const game = this.games.find((game) => game.index === gameIndex);
    if (!game) return;
    this.exchange = null;
    this.gameIndex = gameIndex;
    this.at = Math.max(0, Math.min(at, game.steps.length));
    this.following = gameIndex === this.#match()?.current.index && this.at === game.steps.length;
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

  /** Leaves a finished game for the next: first the hands change sides, then play goes on. */
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
  }
}
