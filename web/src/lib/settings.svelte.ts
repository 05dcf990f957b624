// The player's settings, stored in the browser.
import { browser } from '$app/environment';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  colours: 'two' | 'four';
  /** Pace of the moves; `none` also switches animations off. */
  speed: 'slow' | 'normal' | 'fast' | 'none';
  /** Whether the first touch of a card plays it. */
  atOnce: boolean;
  /** Whether cards that would give mate are marked. */
  seals: boolean;
  sound: boolean;
  keys: boolean;
  legal: boolean;
}

const KEY = 'overmate.settings';
const defaults: Settings = {
  theme: 'auto',
  colours: 'two',
  speed: 'normal',
  atOnce: false,
  seals: true,
  sound: false,
  keys: true,
  legal: true
};

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Settings>;
  } catch {
    return {};
  }
}

export const settings = $state<Settings>({ ...defaults, ...(browser ? stored() : {}) });

/** Changes some settings and stores them. */
export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the settings last as long as the page.
  }
}

/** Returns the factor by which pauses between moves are longer than usual. */
export const pace = (): number => ({ slow: 2, normal: 1, fast: 0.5, none: 0 })[settings.speed];

/** Returns whether animations run: unless the player chose no pauses, or the system asks for reduced motion. */
export function moves(): boolean {
  return settings.speed !== 'none' && !(browser && matchMedia('(prefers-reduced-motion: reduce)').matches);
}
