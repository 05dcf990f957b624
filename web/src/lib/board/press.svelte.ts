// The button of a card in a hand or in the grid: a click or a drop plays the card, or asks why it cannot be played.
import type { HTMLButtonAttributes } from 'svelte/elements';
import { Carry } from './carry.svelte';

export interface Pressable {
  card: string;
  legal: boolean;
  /** Reason why the card cannot be played; undefined for a legal card. */
  why: string | undefined;
  onchoose: ((card: string) => void) | undefined;
  ondrop: ((card: string) => void) | undefined;
}

export class Press extends Carry {
  constructor(private readonly it: () => Pressable) {
    super(
      () => it().legal && it().ondrop !== undefined,
      () => it().ondrop?.(it().card)
    );
  }

  /** Returns the attributes of the button, without those of its look. */
  get attributes(): HTMLButtonAttributes {
    const { card, legal, why, onchoose } = this.it();
    return {
      type: 'button',
      'aria-disabled': !legal,
      title: legal ? undefined : why,
      'data-card': card,
      'data-testid': `card-${card}`,
      onclick: () => this.ends() || onchoose?.(card),
      onpointerdown: this.down,
      onpointermove: this.move,
      onpointerup: this.up,
      onpointercancel: this.cancel
    };
  }
}
