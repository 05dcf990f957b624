// Stores the player's settings in the browser.
import { browser } from '$app/environment';
import type { LegalAction } from '$lib/api/types';
import { getLocale } from '$lib/paraglide/runtime';
import { fieldsOf, stored } from '$lib/storage';

const FLAG: readonly boolean[] = [false, true];
/** Levels of the computer opponents that make mistakes. */
const LEVELS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const VALUES = {
  theme: ['auto', 'light', 'dark'],
  colours: ['two', 'four'],
  /** Speed at which the page shows moves. With `none`, animations are also off. */
  speed: ['slow', 'normal', 'fast', 'none'],
  /**
   * Whether the first click on a card plays the card, instead of only lifting the card. A card to foreplace is always
   * lifted first.
   */
  atOnce: FLAG,
  /** Whether seals (marks with points) show the mating leads. Against strong computer opponents there are no seals. */
  seals: FLAG,
  sound: FLAG,
  /** Whether the page shows chat phrases of the opponent. */
  phrases: FLAG,
  /**
   * Language of the rank letters on the cards. The default is the language of the page. Notation always has the
   * international letters.
   */
  indices: ['international', 'german'],
  /** Whether a coach at the table explains each topic when the topic first occurs. */
  coach: FLAG,
  keys: FLAG,
  legal: FLAG,
  /** Level of the computer opponent that the start page offers. */
  level: LEVELS
} as const;

export type Settings = { -readonly [Name in keyof typeof VALUES]: (typeof VALUES)[Name][number] };

/** Allowed values of each setting, in the order in which the page offers the values. */
export const ALLOWED: { readonly [Name in keyof Settings]: readonly Settings[Name][] } = VALUES;

const KEY = 'overmate.settings';
const defaults: Settings = {
  theme: 'auto',
  colours: 'two',
  speed: 'normal',
  atOnce: false,
  seals: true,
  sound: false,
  phrases: true,
  indices: browser && getLocale() === 'de' ? 'german' : 'international',
  coach: true,
  keys: true,
  legal: true,
  level: 3
};

/** Returns the stored settings that have an allowed value. */
function storedSettings(): Partial<Settings> {
  const allowed = new Map<string, readonly unknown[]>(Object.entries(ALLOWED));
  const fields = Object.entries(fieldsOf(stored(KEY)));
  return Object.fromEntries(fields.filter(([key, value]) => allowed.get(key)?.includes(value)));
}

export const settings = $state<Settings>({ ...defaults, ...(browser ? storedSettings() : {}) });

/** Changes some of the player's settings, and stores the settings in the browser. */
export function change(part: Partial<Settings>): void {
  Object.assign(settings, part);
  try {
    // Only settings that the player has changed, in this tab or in another tab, are stored. All other
    // settings follow the defaults.
    localStorage.setItem(KEY, JSON.stringify({ ...storedSettings(), ...part }));
  } catch {
    // An error of the browser's local storage is ignored. Without storage, the settings last as long as the page.
  }
}

/** Returns whether the first click on a card executes the card's only legal action. */
export const playsAtOnce = ({ kind }: LegalAction): boolean => settings.atOnce && kind !== 'foreplace';

/** Returns the factor, from 0 to 2, by which the settings scale the pauses between moves. */
export const pace = (): number => ({ slow: 2, normal: 1, fast: 0.5, none: 0 })[settings.speed];

/**
 * Returns whether animations are enabled. The result is false if the player has chosen no pauses, or if the system asks
 * for reduced motion.
 */
export function moves(): boolean {
  return settings.speed !== 'none' && !(browser && matchMedia('(prefers-reduced-motion: reduce)').matches);
}
