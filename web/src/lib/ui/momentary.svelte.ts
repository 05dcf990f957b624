// Temporary state, which lasts until the moment changes in which it was set.

/**
 * Temporary value, which falls back to `otherwise` as soon as `moment` returns something else than when the
 * value was set.
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
