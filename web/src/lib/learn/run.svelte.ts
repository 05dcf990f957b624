// Holds the state of a lesson in progress: the learner's decisions and the scripted actions, without the
// rules of the game.
import type { Lesson, LessonChoice, LessonPart, LessonState } from '$lib/api/types';

/**
 * Stage of the current part of a lesson: `open` at a decision, `script` during scripted actions, and `wrong` or
 * `right` at the end.
 */
export type Stage = 'open' | 'script' | 'wrong' | 'right';

export class LessonRun {
  /** Index of the lesson's current part. */
  part = $state(0);
  /** Index of the shown state (position) in the current part of the lesson. */
  at = $state(0);
  /** Whether the person who takes the lesson has acted since its beginning. */
  begun = $state(false);
  /**
   * Wrong action in the lesson whose refutation the page shows; null without a wrong action. Holds the index of the
   * lesson state before the action, and the choice.
   */
  #wrong = $state.raw<{ at: number; choice: LessonChoice } | null>(null);

  constructor(readonly lesson: Lesson) {}

  get shown(): LessonPart {
    const part = this.lesson.parts[this.part];
    if (!part) throw new Error(`the lesson has no part ${this.part}`);
    return part;
  }

  get state(): LessonState {
    const state = this.shown.states[this.at];
    if (!state) throw new Error(`the lesson part has no state ${this.at}`);
    return state;
  }

  get stage(): Stage {
    const { decides, choices } = this.state;
    if (decides) return 'open';
    if (choices.length > 0) return 'script';
    return this.#wrong ? 'wrong' : 'right';
  }

  /**
   * Value of the wrong action in the lesson, and the best value at the same decision. Null without a wrong action.
   */
  get values(): { value: number; best: number } | null {
    if (!this.#wrong) return null;
    const choices = this.shown.states[this.#wrong.at]?.choices ?? [];
    const values = choices.map(({ value }) => value ?? 0);
    return { value: this.#wrong.choice.value ?? 0, best: Math.max(...values) };
  }

  get isLastPart(): boolean {
    return this.part === this.lesson.parts.length - 1;
  }

  /** Plays the legal action that the person who takes the lesson has chosen. */
  act(action: string): void {
    const choice = this.state.choices.find((choice) => choice.action === action);
    if (this.stage !== 'open' || !choice) return;
    this.begun = true;
    if (!choice.right) this.#wrong = { at: this.at, choice };
    this.at = choice.next;
  }

  /** Plays the next scripted action of the lesson. */
  step(): void {
    const [scripted] = this.state.choices;
    if (this.stage === 'script' && scripted) this.at = scripted.next;
  }

  /** Plays all scripted actions up to the next decision, or to the end of the lesson's part. */
  skip(): void {
    while (this.stage === 'script') this.step();
  }

  /** Plays a right action in place of the person who takes the lesson. */
  show(): void {
    const right = this.state.choices.find((choice) => choice.right);
    if (right) this.act(right.action);
  }

  /** Goes back to the lesson decision at which the person chose a wrong action. */
  retry(): void {
    if (!this.#wrong) return;
    this.at = this.#wrong.at;
    this.#wrong = null;
  }

  /** Begins the next part of the lesson. */
  next(): void {
    if (this.stage !== 'right' || this.isLastPart) return;
    this.part += 1;
    this.at = 0;
  }

  /** Restarts the lesson. */
  restart(): void {
    this.#wrong = null;
    this.begun = false;
    this.part = 0;
    this.at = 0;
  }
}
