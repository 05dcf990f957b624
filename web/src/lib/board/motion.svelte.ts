// Animates the cards of a board when they change their places on the screen. The moving cards are leads, answers, played
// cards that go to the list of moves, and hands that are exchanged.
import { moves } from '$lib/settings.svelte';
import { untrack } from 'svelte';

/** Common `Animation.id` of all animations of moving cards. */
const NAME = 'move';

/** Card as drawn before a change of the board, with its screen rectangle. */
interface Place {
  element: HTMLElement;
  box: DOMRect;
}

/**
 * Returns the side of the board to which the card in a page element belongs. Light cards belong to the player at the
 * lower side.
 */
const sideOf = (element: HTMLElement): 'mine' | 'theirs' =>
  element.classList.contains('mine') ? 'mine' : 'theirs';

/** Animates an element with the duration and the easing that the page's style defines. */
function animate(element: HTMLElement, from: Keyframe, to: Keyframe = { transform: 'none' }): Animation {
  const style = getComputedStyle(document.documentElement);
  const time = style.getPropertyValue('--move');
  // The build of the page may convert the CSS value `--move` from milliseconds to seconds.
  const duration = parseFloat(time) * (time.endsWith('ms') ? 1 : 1000);
  return element.animate([from, to], { duration, easing: style.getPropertyValue('--ease'), id: NAME });
}

/**
 * Returns the CSS transform that moves and scales an element from its own rectangle (`box`) to another rectangle
 * (`from`).
 */
function onto(box: DOMRect, from: DOMRect): string {
  const [x, y] = [
    from.x + from.width / 2 - box.x - box.width / 2,
    from.y + from.height / 2 - box.y - box.height / 2
  ];
  return `translate(${x}px, ${y}px) scale(${from.width / box.width}, ${from.height / box.height})`;
}

/**
 * Deal on the board, and whether its two hands have exchanged sides, so that the former light hand is now the dark
 * hand.
 */
interface Shown {
  deal: number;
  turned: boolean;
}

class CardMotion {
  #places = new Map<string, Place>();
  #flights = new Set<Animation>();
  #shown: Shown | null = null;

  /**
   * Records the places of all cards before a change of the board. The recorded place of a moving card is its drawn
   * place, from which the next motion starts.
   */
  measure(board: HTMLElement): void {
    this.forget();
    for (const element of board.querySelectorAll<HTMLElement>('[data-card]')) {
      const role = element.dataset.played ? 'played' : 'held';
      const key = `${element.dataset.card} ${sideOf(element)} ${role}`;
      if (!this.#places.has(key)) this.#places.set(key, { element, box: element.getBoundingClientRect() });
    }
  }

  /** Forgets the recorded places of the cards, so that the next change is shown without motion. */
  forget(): void {
    this.#places.clear();
  }

  /** Starts the motion of each card to its place after a change of the board. The cards of a new deal do not move. */
  play(board: HTMLElement, shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    for (const flight of this.#flights) flight.finish();
    if (this.#places.size === 0 || before?.deal !== shown.deal) return;
    const isExchange = before.turned !== shown.turned;
    const kept: string[] = [];
    for (const element of board.querySelectorAll<HTMLElement>('[data-card]')) {
      for (const running of element.getAnimations()) if (running.id === NAME) running.cancel();
      const { card = '', played } = element.dataset;
      const side = isExchange === element.classList.contains('mine') ? 'theirs' : 'mine';
      const [first, second] = played ? ['played', 'held'] : ['held', 'played'];
      const key = [`${card} ${side} ${first}`, `${card} ${side} ${second}`].find((key) =>
        this.#places.has(key)
      );
      if (!key) {
        this.#enter(element, card);
        continue;
      }
      kept.push(key);
      this.#move(element, this.#places.get(key) as Place, isExchange);
    }
    for (const [key, place] of this.#places)
      if (key.endsWith(' played') && !kept.includes(key)) this.#fly(key.replace(/ played$/, ''), place);
  }

  #move(element: HTMLElement, { box }: Place, isExchange: boolean): void {
    const now = element.getBoundingClientRect();
    const [transform, far] = [onto(now, box), Math.hypot(box.x - now.x, box.y - now.y)];
    // In the animation of the exchange of hands, each card turns over while it moves.
    if (isExchange) animate(element, { transform: `${transform} rotateY(90deg)` });
    else if (far > 1 || Math.abs(box.height - now.height) > 1) animate(element, { transform });
  }

  /** Animates a card from the list of moves back to the board, such as after the end of a game. */
  #enter(element: HTMLElement, card: string): void {
    const from = chipOf(`${card} ${sideOf(element)}`);
    if (from) animate(element, { transform: onto(element.getBoundingClientRect(), from), opacity: 0 });
  }

  /**
   * Animates a copy of a card that has left the board, from the card's place on the board to the list of moves. Clicks
   * go through the copy.
   */
  #fly(name: string, { element, box }: Place): void {
    const to = chipOf(name);
    if (!to || box.width === 0) return;
    const picture = element.cloneNode(true) as HTMLElement;
    for (const { name } of [...picture.attributes]) if (name !== 'class') picture.removeAttribute(name);
    picture.inert = true;
    picture.setAttribute('aria-hidden', 'true');
    const { x, y, width, height } = box;
    const style = `position: fixed; inset: ${y}px auto auto ${x}px; inline-size: ${width}px; block-size: ${height}px;`;
    picture.style.cssText = `${style} margin: 0; rotate: none; z-index: 9; pointer-events: none;`;
    document.body.append(picture);
    const flight = animate(picture, { transform: 'none' }, { transform: onto(box, to), opacity: 0.3 });
    this.#flights.add(flight);
    flight.onfinish = flight.oncancel = () => {
      picture.remove();
      this.#flights.delete(flight);
    };
  }
}

/**
 * Returns the screen rectangle of a played card in the list of moves. If the list is too narrow for the card, returns
 * the rectangle of its move.
 */
function chipOf(name: string): DOMRect | null {
  const chip = [...document.querySelectorAll(`[data-chip="${name}"]`)].at(-1);
  const box = [chip, chip?.closest('li')]
    .map((element) => element?.getBoundingClientRect())
    .find((box) => box && box.width > 0);
  return box ?? null;
}

/**
 * Animates the cards of a board whenever the board changes. Must be called while a component is created. The board
 * takes input during the animations. A new change continues from the places where the cards are drawn. If the
 * settings of the player or the system switch animations off, nothing is measured.
 *
 * @param place element that contains the board
 * @param cause function that reads all state on which the board depends, so that a change of this state
 *   starts motions
 * @param hands function that returns the deal and the exchange of hands on the board; `cause` also reads
 *   this state
 */
export function movesCards(
  place: () => HTMLElement | undefined,
  cause: () => unknown,
  hands: () => Shown = () => ({ deal: 0, turned: false })
): void {
  const motion = new CardMotion();
  $effect.pre(() => {
    cause();
    const board = untrack(place);
    if (board && moves()) motion.measure(board);
    else motion.forget();
  });
  $effect(() => {
    cause();
    const board = untrack(place);
    const now = untrack(hands);
    if (board) motion.play(board, now);
  });
}
