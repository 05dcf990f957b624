// Notices WebSockets that look open but deliver nothing.

/** Times of a pulse, in milliseconds. */
export interface PulseTiming {
  /** Interval between two pings over the WebSocket. */
  ping: number;
  /** Time without a message after which an open WebSocket counts as dead. */
  silence: number;
  /** Time limit for the answer to a ping after sleep or after a change of network. */
  wake: number;
}

/** Pings the server over the present WebSocket, and has a dead WebSocket replaced. */
export class Pulse {
  #beat: ReturnType<typeof setInterval> | undefined;
  #wakeTest: ReturnType<typeof setTimeout> | undefined;
  /** Time of the last message, in milliseconds since the epoch. */
  #heard = 0;

  constructor(
    private readonly timing: PulseTiming,
    private readonly socket: () => WebSocket | null,
    private readonly replace: (socket: WebSocket) => void
  ) {}

  start(): void {
    this.#beat = setInterval(() => this.#ping(), this.timing.ping);
  }

  stop(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#wakeTest);
  }

  /** Notes a message of the server. */
  hear(): void {
    this.#heard = Date.now();
  }

  /** Tests an open WebSocket after sleep or a change of network. */
  wake(): void {
    const socket = this.socket();
    if (socket?.readyState !== WebSocket.OPEN) return;
    const asked = Date.now();
    socket.send(PING);
    clearTimeout(this.#wakeTest);
    this.#wakeTest = setTimeout(() => {
      if (this.#heard < asked) this.replace(socket);
    }, this.timing.wake);
  }

  #ping(): void {
    const socket = this.socket();
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > this.timing.silence) this.replace(socket);
    else socket.send(PING);
  }
}

const PING = JSON.stringify({ t: 'ping' });

/**
 * Calls `wake` when the page may have slept or the network may have changed, and `offline` when the browser has lost its
 * network. Returns the function that stops listening.
 */
export function onWake(wake: () => void, offline: () => void): () => void {
  document.addEventListener('visibilitychange', wake);
  document.addEventListener('resume', wake);
  addEventListener('online', wake);
  addEventListener('pageshow', wake);
  addEventListener('offline', offline);
  return () => {
    document.removeEventListener('visibilitychange', wake);
    document.removeEventListener('resume', wake);
    removeEventListener('online', wake);
    removeEventListener('pageshow', wake);
    removeEventListener('offline', offline);
  };
}
