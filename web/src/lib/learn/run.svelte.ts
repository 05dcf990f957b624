// Holds the state of a lesson in progress: the learner's decisions and the scripted actions. The code does not contain
// the rules of the game.
import type { Lesson, LessonChoice, LessonPart, LessonState } from '$lib/api/types';

/**
 * Stage of the current part of a lesson: a decision (`open`), scripted actions (`script`), or the end after a wrong or
 * right decision (`wrong`, `right`).
 */
export type Stage = 'open' | 'script' | 'wrong' | 'right';

/**
 * Kind of a decision in a part of a lesson: the first decision (`first`), or a later decision with several legal
 * actions (`later`) or a single legal action (`forced`).
 */
export type DecisionKind = 'first' | 'later' | 'forced';

export class LessonRun {
  /** Index of the lesson's current part. */
  part = $state(0);
  /** Index of the shown state (position) in the current part of the lesson. */
  at = $state(0);
  /** Whether the learner has acted since the beginning of the lesson. */
  begun = $state(false);
  /** Index of the state at which the learner acted last in the current part of the lesson; 0 before any action. */
  #decided = $state(0);
  /** Wrong choice in the lesson whose refutation the page shows; null without a wrong choice. */
  #wrong = $state.raw<LessonChoice | null>(null);

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

  /** Kind of the learner's current decision or, if no decision is due, of the learner's latest decision. */
  get decision(): DecisionKind {
    const at = this.stage === 'open' ? this.at : this.#decided;
    if (at === 0) return 'first';
    return this.shown.states[at]?.choices.length === 1 ? 'forced' : 'later';
  }

  /**
   * Value of the wrong action in the lesson, and the best value at the same decision. Null without a wrong action.
   */
  get values(): { value: number; best: number } | null {
    if (!this.#wrong) return null;
    const choices = this.shown.states[this.#decided]?.choices ?? [];
    const values = choices.map(({ value }) => value ?? 0);
    return { value: this.#wrong.value ?? 0, best: Math.max(...values) };
  }

  get isLastPart(): boolean {
    return this.part === this.lesson.parts.length - 1;
  }

  /** Plays the legal action that the learner has chosen. */
  act(action: string): void {
    const choice = this.state.choices.find((choice) => choice.action === action);
    if (this.stage !== 'open' || !choice) return;
    this.begun = true;
    this.#decided = this.at;
    if (!choice.right) this.#wrong = choice;
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

  /** Plays a right action in place of the learner. */
  show(): void {
    const right = this.state.choices.find((choice) => choice.right);
    if (right) this.act(right.action);
  }

  /** Goes back to the lesson decision at which the learner chose a wrong action. */
  retry(): void {
    if (!this.#wrong) return;
    this.at = this.#decided;
    this.#wrong = null;
  }

  /** Begins the next part of the lesson. */
  next(): void {
    if (this.stage !== 'right' || this.isLastPart) return;
    this.#begin(this.part + 1);
  }

  /** Restarts the lesson. */
  restart(): void {
    this.#wrong = null;
    this.begun = false;
    this.#begin(0);
  }

  #begin(part: number): void {
    this.part = part;
    this.at = 0;
    this.#decided = 0;
  }
}
