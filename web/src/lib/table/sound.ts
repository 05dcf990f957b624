// The sounds of the table, synthesised in the browser; off by default.
import { settings } from '$lib/settings.svelte';

let context: AudioContext | null = null;

function tone(frequency: number, at: number, seconds: number, loudness: number): void {
  if (!context) return;
  const start = context.currentTime + at;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = 'triangle';
  oscillator.frequency.setValueAtTime(frequency, start);
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

/** Plays the sound of a card, or of the end of a game. */
export function sound(what: 'card' | 'mate' | 'overmate' | 'draw'): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  switch (what) {
    case 'card':
      tone(190, 0, 0.07, 0.25);
      break;
    case 'draw':
      tone(262, 0, 0.3, 0.12);
      break;
    case 'overmate':
      tone(523, 0.36, 0.7, 0.14);
    // An overmate sounds like a mate, and then rises.
    // falls through
    case 'mate':
      tone(262, 0, 0.3, 0.15);
      tone(330, 0.12, 0.3, 0.15);
      tone(392, 0.24, 0.5, 0.15);
  }
}
