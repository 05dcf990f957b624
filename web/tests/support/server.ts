// Simulates the server of one match on a local port, with real HTTP, real WebSockets, and faults on request.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import type { WebSocket } from 'ws';
import type { MatchState } from '$lib/api/types';

// The package `ws` is loaded by its path, because under Vitest its name resolves to a stub for browsers.
const ws = createRequire(import.meta.url)('../../node_modules/ws') as typeof import('ws');

/** WebSocket class that the page under test uses instead of the class of happy-dom (a simulated browser). */
export class ClientSocket extends ws.WebSocket {
  constructor(address: string | URL) {
    super(address);
    // The empty listener ignores WebSocket errors, as a browser does. Without a listener, the package `ws` would
    // throw the error.
    this.on('error', () => {});
  }
}

interface Act {
  sequence: number;
  action: string;
  client_id: string;
}

export class MatchServer {
  /**
   * Behaviour of the simulated server towards WebSockets: serve them, refuse them, or open them without responses.
   */
  sockets: 'serve' | 'refuse' | 'ignore' = 'serve';
  /** Number of further `act` messages (actions of a player) that the simulated server will ignore. */
  loseActs = 0;
  /** Number of further actions that the simulated server will execute without a response. */
  loseAnswers = 0;
  /** Actions that the simulated server has executed, by client id. */
  readonly done = new Map<string, string>();
  /** Client ids (idempotency keys) of all actions that the simulated server has received, including repetitions. */
  readonly arrived: string[] = [];
  /** Whether the simulated server refuses all HTTP requests, as if the browser had been signed out. */
  signedOut = false;
  /** Whether the simulated server has removed the match. It then also refuses WebSockets. */
  gone = false;
  /** Number of HTTP requests that have read the match state without waiting for a change. */
  reads = 0;
  /** Number of WebSockets that the page has requested, including refused ones. */
  tried = 0;
  /** Number of WebSockets that the simulated server has opened. */
  opened = 0;
  url = '';

  #http: Server;
  #sockets = new ws.WebSocketServer({ noServer: true });
  #waiting = new Set<() => void>();

  constructor(public state: MatchState) {
    this.#http = createServer((request, response) => void this.#answer(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      this.tried += 1;
      if (this.gone || this.sockets === 'refuse') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      this.#sockets.handleUpgrade(request, socket, head, (opened) => this.#serve(opened));
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    this.dropSockets();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  /**
   * Changes the match state of the simulated server. Sends the new state, with the changes in `sent`, to all clients.
   */
  change(part: Partial<MatchState>, sent: Partial<MatchState> = {}): void {
    this.state = { ...this.state, sequence: this.state.sequence + 1, ...part };
    this.#broadcast({ ...this.state, ...sent });
  }

  /** Sends a match state over all WebSockets without changing the server's state. */
  tell(state: MatchState): void {
    this.#broadcast(state);
  }

  dropSockets(): void {
    for (const socket of this.#sockets.clients) socket.terminate();
  }

  /** Closes all WebSockets with a close code and a reason. */
  closeSockets(code: number, reason: string): void {
    for (const socket of this.#sockets.clients) socket.close(code, reason);
  }

  /** Sends a message over all open WebSockets. */
  send(message: object): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify(message));
  }

  /** Ignores all further messages on the current WebSockets, which stay open. */
  silence(): void {
    for (const socket of this.#sockets.clients) socket.removeAllListeners('message');
  }

  #broadcast(state: MatchState): void {
    for (const socket of this.#sockets.clients) socket.send(JSON.stringify({ t: 'changed', state }));
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  /**
   * Executes a player's action, unless an action with the same client id has been executed before. Returns a problem if
   * the match state has changed.
   */
  #act({ sequence, action, client_id }: Act): object | null {
    this.arrived.push(client_id);
    if (this.done.has(client_id)) return null;
    if (sequence !== this.state.sequence) {
      return { code: 'conflict', title: 'Conflict', status: 409, state: this.state };
    }
    this.done.set(client_id, action);
    this.state = { ...this.state, sequence: sequence + 1 };
    return null;
  }

  #serve(socket: WebSocket): void {
    this.opened += 1;
    if (this.sockets === 'ignore') return;
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { t: string } & Act;
      const send = (answer: object) => socket.send(JSON.stringify(answer));
      if (message.t === 'hello') send({ t: 'state', state: this.state });
      else if (message.t === 'ping') send({ t: 'pong' });
      else if (message.t === 'act') {
        if (this.loseActs > 0) return void (this.loseActs -= 1);
        const problem = this.#act(message);
        if (this.loseAnswers > 0) return void (this.loseAnswers -= 1);
        if (problem) return send({ t: 'problem', client_id: message.client_id, problem });
        send({ t: 'ack', client_id: message.client_id, sequence: this.state.sequence });
        this.#broadcast(this.state);
      }
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.signedOut) {
      this.reads += 1;
      return void send(401, { code: 'signed-out' });
    }
    if (this.gone) {
      this.reads += 1;
      return void send(404, { code: 'not-found' });
    }
    if (request.method === 'GET') {
      const query = new URL(request.url ?? '/', this.url).searchParams;
      if (!query.has('after')) this.reads += 1;
      else if (Number(query.get('after')) >= this.state.sequence) {
        await new Promise<void>((resolve) => {
          this.#waiting.add(resolve);
          setTimeout(resolve, Number(query.get('wait')) * 1000);
        });
      }
      return void send(200, this.state);
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const problem = this.#act(JSON.parse(body) as Act);
    if (this.loseAnswers > 0) {
      this.loseAnswers -= 1;
      return void request.socket.destroy();
    }
    send(problem ? 409 : 200, problem ?? this.state);
  }
}
