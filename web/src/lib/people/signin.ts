// Notifies the parts of the page after this browser has signed in to an account, or was linked to a player by a code.

/** Name of the event that reports a sign-in. */
const SIGN_IN = 'sign-in';

const reports = new EventTarget();

/** Reports that this browser has signed in to an account, or was linked to a player by a code. */
export const noteSignIn = (): void => void reports.dispatchEvent(new Event(SIGN_IN));

/** Registers a callback that runs after each sign-in of this browser. */
export const onSignIn = (callback: () => void): void => reports.addEventListener(SIGN_IN, callback);
