// Remembers that the server has refused a request because this browser was signed out elsewhere.

/** State that tells whether the page shows the notice that this browser was signed out. */
export const signedOut = $state({ shown: false });
