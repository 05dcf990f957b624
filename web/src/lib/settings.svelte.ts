// What a player prefers, kept in this browser alone.
import { browser } from '$app/environment';

export interface Settings {
  theme: 'auto' | 'light' | 'dark';
  colours: 'two' | 'four';
  view: 'hands' | 'grid';
  confirm: boolean;
  motion: boolean;
  sound: boolean;
  keys: boolean;
  legal: boolean;
}

const KEY = 'overmate.settings';
const defaults: Settings = {
  theme: 'auto',
  colours: 'two',
  view: 'hands',
  confirm: false,
  motion: true,
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

/** Changes some settings and keeps them. */
export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Private windows may forbid storage; the settings then last as long as the page.
  }
}

/** From the hands to the grid, and back. */
export const switchView = (): void => change({ view: settings.view === 'grid' ? 'hands' : 'grid' });

/** Whether things may move: the player's choice here, unless the system asks for rest. */
export function moves(): boolean {
  return settings.motion && !(browser && matchMedia('(prefers-reduced-motion: reduce)').matches);
}
