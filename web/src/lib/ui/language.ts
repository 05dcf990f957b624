// Changes the language of the page. The page is then loaded again, with the settings open and the keyboard focus on the
// language.
import { setLocale, type Locale } from '$lib/paraglide/runtime';

/** Key in the storage of the browser tab, which marks that a change of language is loading the page again. */
const KEY = 'overmate.language';

/**
 * Whether a change of language has loaded the page, and since then the settings have not been shown and no other page
 * has been opened.
 */
let isFresh = isMarked();

function isMarked(): boolean {
  try {
    const marked = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return marked;
  } catch {
    return false;
  }
}

export function changeLanguage(locale: Locale): void {
  try {
    sessionStorage.setItem(KEY, 'yes');
  } catch {
    // An error of the storage is ignored. Without storage, the loaded page has closed settings.
  }
  void setLocale(locale);
}

/** Returns whether the page opens its settings by itself, because a change of language has loaded the page. */
export const opensSettings = (): boolean => isFresh;

/** Makes `opensSettings` false, because the settings were shown or the reader goes to another page. */
export function forgetChange(): void {
  isFresh = false;
}
