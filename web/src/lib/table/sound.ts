// Plays the five sounds of the table, which Web Audio synthesises. Sounds are off until the player turns them
// on.
import { settings } from '$lib/settings.svelte';

/** Musical note of a sound effect. */
interface Note {
  /** Pitch of the musical note, in hertz. */
  pitch: number;
  /** Final pitch of a gliding note, in hertz; undefined for a constant pitch. */
  to?: number;
  /** Delay between the start of the sound effect and the start of this musical note, in seconds. */
  at: number;
  /** Duration of the musical note, in seconds. */
  lasts: number;
  /** Loudness of the musical note, from 0 to 1. */
  loud: number;
  wave: OscillatorType;
}

const bell = (pitch: number, at: number, lasts: number, loud = 0.14): Note[] => [
  { pitch, at, lasts, loud, wave: 'triangle' },
  { pitch: pitch * 2.01, at, lasts: lasts / 2, loud: loud / 4, wave: 'sine' }
];
const knock = (pitch: number, at: number, loud = 0.3): Note[] => [
  { pitch, to: pitch / 2.2, at, lasts: 0.09, loud, wave: 'sine' },
  { pitch: pitch * 7, to: pitch * 3, at, lasts: 0.02, loud: loud / 5, wave: 'square' }
];
const triad = [...bell(262, 0, 0.3), ...bell(330, 0.12, 0.3), ...bell(392, 0.24, 0.5)];

/**
 * Musical notes of each sound effect. A lead is one knock, an answer is two knocks, a mate is a chord, and an
 * overmate is a chord with two higher notes. The player's turn is two notes.
 */
const sounds = {
  lead: knock(210, 0),
  answer: [...knock(170, 0, 0.22), ...knock(150, 0.07, 0.16)],
  mate: triad,
  overmate: [...triad, ...bell(523, 0.36, 0.35), ...bell(659, 0.48, 0.8)],
  turn: [...bell(659, 0, 0.25, 0.09), ...bell(880, 0.14, 0.45, 0.09)]
} satisfies Record<string, Note[]>;

export type Sound = keyof typeof sounds;

let context: AudioContext | null = null;

function play(context: AudioContext, { pitch, to, at, lasts, loud, wave }: Note): void {
  const start = context.currentTime + at;
  const oscillator = new OscillatorNode(context, { type: wave, frequency: pitch });
  if (to) oscillator.frequency.exponentialRampToValueAtTime(to, start + lasts);
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + lasts);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + lasts);
}

/**
 * Plays a sound effect if the settings allow sounds. Sounds before the first user interaction with the page are
 * omitted.
 */
export function sound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  // A browser suspends the audio context until the first touch of the page. Notes for a suspended context would wait, and then
  // all be heard at once. Older browsers do not tell whether the page has been touched.
  if ((navigator.userActivation as UserActivation | undefined)?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state !== 'running') void context.resume();
  for (const note of sounds[name]) play(context, note);
}
