// The animation of cards that change their place, unless the player has switched animations off.
import { cubicOut } from 'svelte/easing';
import { crossfade } from 'svelte/transition';
import { moves } from '$lib/settings.svelte';

const duration = () => (moves() ? 320 : 0);

export const [send, receive] = crossfade({
  duration: (distance: number) => (moves() ? Math.min(420, 180 + distance * 0.5) : 0),
  easing: cubicOut,
  fallback: () => ({ duration: duration() / 2, css: (t: number) => `opacity: ${t}` })
});
