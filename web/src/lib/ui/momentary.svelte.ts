// Defines temporary state, which is reset when a key, such as the shown step, changes.

/**
 * Value that returns to its default when a key, such as the number of the shown step, changes. The function `moment`
 * returns the key, and `otherwise` is the default.
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
