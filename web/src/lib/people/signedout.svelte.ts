// Remembers that the server has refused a request because this browser was signed out elsewhere.

/** State of the page's notice that this browser was signed out. */
export const signedOut = $state({ shown: false });
