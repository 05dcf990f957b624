// Defines the error class for refused and failed requests to the server.

/** Error that reports a refused or failed request. */
export class Problem extends Error {
  constructor(
    /** Error code from the server, or `offline` if the server has not responded. */
    readonly code: string,
    detail: string,
    readonly status = 0,
    /** Current match state in the server's error response; null if the response contains no match state. */
    readonly state: unknown = null
  ) {
    super(detail);
  }

  /**
   * Whether a retry of the failed request can succeed: the server did not respond, was busy or too slow, or was
   * restarting.
   */
  get passing(): boolean {
    return [0, 408, 429].includes(this.status) || this.status >= 500;
  }

  /**
   * Whether the requested object, such as a match, does not exist or is hidden from this browser. A hidden object may
   * belong to the browser's former identity.
   */
  get hidden(): boolean {
    return this.code === 'not-found' || this.code === 'signed-out';
  }

  /**
   * Whether the player can repeat the failed request by hand. A browser that was signed out gets a new identity with the
   * repeated request.
   */
  get repeatable(): boolean {
    return this.passing || this.code === 'signed-out';
  }

  /** Whether the server has refused the request because this browser has no account, or was signed out. */
  get needsSignIn(): boolean {
    return this.code === 'account-needed' || this.code === 'signed-out';
  }
}

/** Parses the problem in the body of an HTTP error response. */
export function problemIn(body: unknown, status: number): Problem {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (key: string) => (typeof said[key] === 'string' ? said[key] : '');
  return new Problem(
    text('code') || 'unknown',
    text('detail') || text('title') || `HTTP ${status}`,
    status,
    said['state'] ?? null
  );
}

/** Converts a thrown value to a `Problem`. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem('offline', thrown instanceof Error ? thrown.message : String(thrown));
}
