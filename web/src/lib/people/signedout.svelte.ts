// Remembers that the server has refused a request because this browser was signed out elsewhere.

/** State of the notice of the sign-out. */
export const signedOut = $state({ shown: false });
