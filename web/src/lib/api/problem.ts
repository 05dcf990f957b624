// What went wrong, as the server says it or as the network does.

/** An answer that is not the one asked for. */
export class Problem extends Error {
  constructor(
    /** The server's stable code; `offline` if there was no answer at all. */
    readonly code: string,
    detail: string,
    readonly status = 0,
    /** The match as it stands, where the server sends it along. */
    readonly state: unknown = null
  ) {
    super(detail);
  }

  /** Whether asking again may help: no answer, or a server that is busy or restarting. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The problem in an answer's body. */
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

/** Whatever was thrown, as a problem. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem('offline', thrown instanceof Error ? thrown.message : String(thrown));
}
