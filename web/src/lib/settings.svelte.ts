// The player's settings, stored in the browser.
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

/** Changes some settings and stores them. */
export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the settings last as long as the page.
  }
}

/** Switches between hands and grid. */
export const switchView = (): void => change({ view: settings.view === 'grid' ? 'hands' : 'grid' });

/** Returns whether animations run: the player's choice, unless the system asks for reduced motion. */
export function moves(): boolean {
  return settings.motion && !(browser && matchMedia('(prefers-reduced-motion: reduce)').matches);
}
