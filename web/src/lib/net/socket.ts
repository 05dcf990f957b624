// Keeps a WebSocket to the server open: detects lost and silent WebSockets, and reconnects after growing
// pauses.
import { Pulse, type PulseTiming } from './pulse';

/** Time settings of a WebSocket that reconnects, in milliseconds. */
export interface SocketTiming extends PulseTiming {
  /**
   * Timeout in milliseconds for the first message over a new WebSocket, which proves that the WebSocket works. At the
   * timeout the page closes the WebSocket.
   */
  trial: number;
  /**
   * Base delay of the exponential backoff before reconnections, in milliseconds. The first delay is twice this time on
   * average, and each failure doubles the delay, up to `longestPause`.
   */
  pause: number;
  longestPause: number;
}

export const SOCKET_TIMING: SocketTiming = {
  ping: 20_000,
  silence: 45_000,
  trial: 5000,
  wake: 3000,
  pause: 300,
  longestPause: 8000
};

/** Listener for the events of a WebSocket, such as a message. */
export interface SocketListener {
  /** Returns the URL of the WebSocket. */
  url: () => string | URL;
  /** Callback that runs when a WebSocket has opened, before a message has proved that the WebSocket works. */
  onopen?: () => void;
  onmessage: (text: string) => void;
  /** Callback that runs when the page has closed a WebSocket. A new WebSocket follows at once or after a pause. */
  onclosed?: () => void;
  /** Callback that polls the server over HTTP after failures of the WebSocket. */
  onfail: () => void;
}

export class Reconnecting {
  #socket: WebSocket | null = null;
  /** Timer that closes a new WebSocket unless a message proves in time that the WebSocket works. */
  #trial: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pulse: Pulse;
  /** Number of consecutive WebSocket failures. */
  #failures = 0;
  #started = false;

  constructor(
    private readonly timing: SocketTiming,
    private readonly listener: SocketListener
  ) {
    this.#pulse = new Pulse(
      timing,
      () => this.#socket,
      (socket) => socket === this.#socket && this.reconnect()
    );
  }

  start(): void {
    this.#started = true;
    this.#pulse.start();
    this.#connect();
  }

  stop(): void {
    this.#started = false;
    this.#pulse.stop();
    clearTimeout(this.#retry);
    this.#close();
  }

  /** Sends a message over the WebSocket. Returns whether the WebSocket was open. */
  send(message: unknown): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Whether a message has proved that the current WebSocket works. */
  get proved(): boolean {
    return this.#socket !== null && this.#trial === undefined;
  }

  /** Records that the current WebSocket works. */
  prove(): void {
    clearTimeout(this.#trial);
    this.#trial = undefined;
    this.#failures = 0;
  }

  /**
   * Tests the WebSocket after the device was asleep or has changed its network. A dead WebSocket may still look open
   * to the browser.
   */
  wake(): void {
    if (!this.#started) return;
    if (this.#socket) return this.#pulse.wake();
    this.#failures = 0;
    this.#connect();
  }

  /** Replaces the WebSocket by a new WebSocket immediately. */
  reconnect(): void {
    if (!this.#started) return;
    this.#discard();
    this.#connect();
  }

  /** Closes a broken WebSocket, and opens a new WebSocket after a pause. */
  fail(): void {
    if (this.#socket) this.#lost(this.#socket);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    const socket = new WebSocket(this.listener.url());
    this.#socket = socket;
    socket.onopen = () => {
      this.#pulse.hear();
      this.listener.onopen?.();
    };
    socket.onmessage = ({ data }) => {
      this.#pulse.hear();
      this.listener.onmessage(String(data));
    };
    socket.onclose = ({ code, reason }) => this.#lost(socket, returnTime(code, reason));
    clearTimeout(this.#trial);
    // If a new WebSocket delivers no message within a time limit, the page requests the data by HTTP. In some networks,
    // a WebSocket may stay silent for minutes.
    this.#trial = setTimeout(() => {
      this.#lost(socket);
      if (this.#failures === 1) this.listener.onfail();
    }, this.timing.trial);
  }

  /**
   * Closes a failed WebSocket, and opens a new WebSocket after a pause. `chosen` is the additional pause in
   * milliseconds that a stopping server requested; null without a request.
   */
  #lost(socket: WebSocket, chosen: number | null = null): void {
    if (this.#socket !== socket) return;
    this.#discard();
    this.#failures += 1;
    if (this.#failures > 1) this.listener.onfail();
    const { pause, longestPause } = this.timing;
    const jitter = 0.7 + Math.random() * 0.6;
    const own = Math.min(longestPause, pause * 2 ** this.#failures) * jitter;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), (chosen ?? 0) + own);
  }

  #discard(): void {
    if (this.#close()) this.listener.onclosed?.();
  }

  /** Closes the WebSocket without waiting for the server's close message. Returns whether there was a WebSocket. */
  #close(): boolean {
    clearTimeout(this.#trial);
    const socket = this.#socket;
    if (!socket) return false;
    socket.onopen = socket.onclose = socket.onmessage = null;
    // If the viewer leaves the page during the handshake of the WebSocket, the WebSocket is closed after the handshake.
    // The browser reports an earlier close as an error in its console.
    if (!this.#started && socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
    this.#socket = null;
    return true;
  }
}

/** WebSocket close code by which a stopping server asks the page to reconnect. */
const RESTART = 1012;

/** Maximum reconnection delay that the page accepts from a stopping server, in milliseconds. */
const LONGEST_CHOSEN = 60_000;

/**
 * Returns the reconnection delay that a stopping server chose for the page, in milliseconds; null without such a
 * choice. Different delays prevent all pages from reconnecting at the same time.
 */
export function returnTime(code: number, reason: string): number | null {
  const told = code === RESTART ? /\bretry-after-ms=(\d+)$/.exec(reason) : null;
  return told ? Math.min(Number(told[1]), LONGEST_CHOSEN) : null;
}
