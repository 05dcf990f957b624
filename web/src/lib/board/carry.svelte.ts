// A card carried with finger or mouse: where it is meanwhile, and whether it was carried far enough to be played.

/** How far a pointer travels before it carries, and how far a card is carried to be played. */
const CARRY_PX = 8;
const DROP_PX = 70;

export class Carry {
  #way = $state<{ x: number; y: number; dx: number; dy: number; on: boolean } | null>(null);
  #carried = false;

  constructor(
    /** Whether the card can be carried now. */
    private readonly may: () => boolean,
    /** The card has been put down away from its place. */
    private readonly drop: () => void
  ) {}

  /** Whether the card is on its way. */
  get on(): boolean {
    return this.#way?.on ?? false;
  }

  /** Where the card is meanwhile, for the `translate` of its style. */
  get translate(): string | undefined {
    return this.#way?.on ? `${this.#way.dx}px ${this.#way.dy}px` : undefined;
  }

  /** Whether the click that comes now only ends the carrying. */
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
