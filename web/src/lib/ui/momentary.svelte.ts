// Defines temporary state, which is reset when a key, such as the shown step, changes.

/**
 * Value that is reset when a key changes. When the result of `moment` changes, the value becomes `otherwise` again.
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
