// Holds the state of an attempt at a puzzle: the decisions so far and the result. The code does not contain the rules
// of the game.
import { asProblem, type Problem } from '$lib/api/problem';
import type { AttemptResult, PlayedAction, Puzzle, PuzzleState } from '$lib/api/types';

/**
 * Stage of an attempt at a puzzle: in progress (`open`), ended by the solution (`solved`) or a wrong action (`wrong`),
 * or given up (`shown`). After giving up, the person sees the solution.
 */
export type Stage = 'open' | 'solved' | 'wrong' | 'shown';

/** Function that reports a puzzle attempt to the server. Returns null if the attempt is not reported. */
type Report = (puzzle: Puzzle, actions: string[]) => Promise<AttemptResult | null>;

/** Function that returns the actions of best play after a line of actions in a puzzle. */
type Refute = (puzzle: Puzzle, line: string[]) => Promise<PlayedAction[]>;

export class Run {
  /** Index of the shown state (position) in the puzzle. */
  at = $state(0);
  stage = $state<Stage>('open');
  /** Wrong action that ended the puzzle attempt, or null. */
  wrong = $state<string | null>(null);
  /** Result of the puzzle attempt from the server; null before the response. */
  result = $state.raw<AttemptResult | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** Best play of both players after the wrong action that ended the puzzle attempt; null until best play is known. */
  refutation = $state.raw<PlayedAction[] | null>(null);
  /** Actions of both players between the position of the puzzle and the shown state. */
  #line: string[] = [];
  #chosen: string[] = [];

  constructor(
    readonly puzzle: Puzzle,
    private readonly report: Report,
    private readonly refute: Refute = () => Promise.resolve([])
  ) {}

  get state(): PuzzleState {
    const state = this.puzzle.states[this.at];
    if (!state) throw new Error(`the puzzle has no state ${this.at}`);
    return state;
  }

  /** Plays a legal action of the person who solves the puzzle. A wrong action ends the attempt. */
  act(action: string): void {
    const choice = this.state.choices.find((choice) => choice.action === action);
    if (this.stage !== 'open' || !choice) return;
    this.#chosen.push(action);
    if (choice.next === null) {
      this.wrong = action;
      this.#end('wrong');
      // An error of the request for best play is ignored. Without the line of best play, the values still show why
      // the action is wrong.
      this.refute(this.puzzle, [...this.#line, action]).then(
        (line) => (this.refutation = line),
        () => undefined
      );
      return;
    }
    this.at = choice.next;
    this.#line.push(...this.state.played.map(({ action }) => action));
    if (this.state.choices.length === 0) this.#end('solved');
  }

  /** Gives up the puzzle attempt. */
  giveUp(): void {
    if (this.stage === 'open') this.#end('shown');
  }

  #end(stage: Stage): void {
    this.stage = stage;
    this.send();
  }

  /**
   * Reports the ended puzzle attempt to the server. May be called again after a problem, because the server counts
   * only the first report.
   */
  send(): void {
    this.problem = null;
    this.report(this.puzzle, this.#chosen).then(
      (result) => (this.result = result),
      (thrown: unknown) => (this.problem = asProblem(thrown))
    );
  }
}
