// Defines a value that returns to its default as soon as a watched value, such as the shown position, changes.

/**
 * Value that returns to its default as soon as a watched value, such as the shown position, changes. The function
 * `moment` returns the watched value, and `otherwise` is the default.
 */
export class Momentary<Value> {
  #kept = $state.raw<{ moment: unknown; value: Value } | null>(null);

  constructor(
    private readonly moment: () => unknown,
    private readonly otherwise: Value
  ) {}

  get value(): Value {
    return this.#kept && this.#kept.moment === this.moment() ? this.#kept.value : this.otherwise;
  }

  set value(value: Value) {
    this.#kept = { moment: this.moment(), value };
  }
}
