// Remembers whether this browser belongs to an account, so that only browsers with an account ask for challenges.

const KEY = 'overmate.account';

/** Stores, in the browser, whether the browser belongs to an account. */
export function noteAccount(has: boolean): void {
  try {
    if (has) localStorage.setItem(KEY, 'yes');
    else localStorage.removeItem(KEY);
  } catch {
    // An error of the storage is ignored. Without storage, the lobby page shows challenges, but other pages
    // do not.
  }
}

/** Returns whether this browser belonged to an account according to the server's last response. */
export function hadAccount(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
