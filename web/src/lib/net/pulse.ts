// Detects WebSockets that look open but deliver nothing.

/** Time settings of a WebSocket's keep-alive, in milliseconds. */
export interface PulseTiming {
  /** Interval between two pings over the WebSocket, in milliseconds. */
  ping: number;
  /** Idle time after which an open WebSocket counts as dead, in milliseconds. */
  silence: number;
  /** Timeout in milliseconds for the server's pong after the device was asleep or has changed its network. */
  wake: number;
}

/** Keep-alive that pings the server over a WebSocket, and replaces an unresponsive WebSocket. */
export class Pulse {
  #beat: ReturnType<typeof setInterval> | undefined;
  #wakeTest: ReturnType<typeof setTimeout> | undefined;
  /** Unix time at which the last message of the server arrived, in milliseconds. */
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

  /** Records that a message of the server has arrived. */
  hear(): void {
    this.#heard = Date.now();
  }

  /** Tests whether an open WebSocket still works after the device was asleep or has changed its network. */
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
 * Calls `wake` after each event that may have broken the connection, and `offline` when the device loses its network.
 * Such events are that the page is shown or hidden, and that the device may have been asleep or has a network
 * again. Returns the function that removes the callbacks.
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

/**
 * Runs a task at intervals of `pause` milliseconds, and after a possible sleep of the device, while the page is
 * visible. Returns the function that ends the repetition.
 */
export function repeatWhileVisible(task: () => void, pause: number): () => void {
  const run = () => document.visibilityState === 'visible' && task();
  const timer = setInterval(run, pause);
  const unlisten = onWake(run, () => {});
  return () => {
    clearInterval(timer);
    unlisten();
  };
}
