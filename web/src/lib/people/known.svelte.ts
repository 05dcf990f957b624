// Remembers whether this browser belongs to an account, so that only browsers with an account poll for challenges to a
// match.
import { browser } from '$app/environment';

const KEY = 'overmate.account';

function stored(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

let known = $state(browser && stored());

if (browser) addEventListener('storage', ({ key }) => (key === KEY || key === null) && (known = stored()));

/** Stores, in the browser, whether the browser belongs to an account. */
export function noteAccount(has: boolean): void {
  known = has;
  try {
    if (has) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
  } catch {
    // Without local storage, the page remembers whether the browser belongs to an account, but only until the page
    // closes.
  }
}

/** Returns whether this browser belongs to an account, as far as the page knows. The result is reactive state. */
export const hadAccount = (): boolean => known;
