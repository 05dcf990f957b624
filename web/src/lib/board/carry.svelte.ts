// A card that is dragged with finger or mouse: its position, and whether the drag was long enough to play the card.

/** Distance of the pointer at which a drag begins, and the distance at which a drop plays the card, in pixels. */
const CARRY_PX = 8;
const DROP_PX = 70;

export class Carry {
  #way = $state<{ x: number; y: number; dx: number; dy: number; on: boolean } | null>(null);
  #carried = false;

  constructor(
    /** Returns whether the card can be dragged now. */
    private readonly may: () => boolean,
    /** Called when the card is dropped far enough from its place. */
    private readonly drop: () => void
  ) {}

  /** Returns whether the card is being dragged. */
  get on(): boolean {
    return this.#way?.on ?? false;
  }

  /** Returns the offset of the dragged card, for the CSS property `translate`. */
  get translate(): string | undefined {
    return this.#way?.on ? `${this.#way.dx}px ${this.#way.dy}px` : undefined;
  }

  /** Returns whether the present click only ends a drag. */
  ends(): boolean {
    const ends = this.#carried;
    this.#carried = false;
    return ends;
  }

  down = (event: PointerEvent): void => {
    this.#carried = false;
    if (event.button !== 0 || !this.may()) return;
    this.#way = { x: event.clientX, y: event.clientY, dx: 0, dy: 0, on: false };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };

  move = (event: PointerEvent): void => {
    const way = this.#way;
    if (!way) return;
    const dx = event.clientX - way.x;
    const dy = event.clientY - way.y;
    this.#way = { ...way, dx, dy, on: way.on || Math.hypot(dx, dy) > CARRY_PX };
  };

  up = (): void => {
    const way = this.#way;
    this.#way = null;
    if (!way?.on) return;
    this.#carried = true;
    if (Math.hypot(way.dx, way.dy) > DROP_PX) this.drop();
  };

  cancel = (): void => {
    this.#way = null;
  };
}
