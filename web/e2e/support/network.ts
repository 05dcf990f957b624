// Simulates a network between page and server. The network can refuse WebSockets, never open WebSockets, lose
// responses, never respond, or append a text to responses.
import { createServer, request, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/**
 * Reaction of the simulated network to a new WebSocket connection. The network forwards the connection (`pass`),
 * refuses it (`refuse`), or never responds (`hang`).
 */
export type Sockets = 'pass' | 'refuse' | 'hang';

export class Network {
  sockets: Sockets = 'pass';
  /** Number of WebSocket connections that the page has requested. */
  asked = 0;
  /**
   * Predicate that selects the requests whose responses the simulated network loses. The server still executes these
   * requests.
   */
  lose: (request: IncomingMessage) => boolean = () => false;
  /** Predicate that selects the requests that the simulated network never answers and does not forward to the server. */
  hold: (request: IncomingMessage) => boolean = () => false;
  /**
   * Returns text that the simulated network appends to a response, to simulate a new version of the requested file.
   */
  addition: (request: IncomingMessage) => string = () => '';
  /** Origin (scheme, host and port) at which the simulated network receives the requests of the page. */
  url = '';

  #http: HttpServer;
  #open = new Set<Socket>();

  constructor(private readonly target: string) {
    this.#http = createServer((from, to) => {
      if (this.hold(from)) return;
      const addition = this.addition(from);
      const asked = { ...from.headers };
      // The simulated network can append text only to a complete, uncompressed response.
      for (const name of addition ? ['accept-encoding', 'if-none-match', 'if-modified-since'] : [])
        delete asked[name];
      const onward = request(
        new URL(from.url ?? '/', this.target),
        { method: from.method, headers: asked },
        (answer) => {
          if (this.lose(from)) return void from.socket.destroy();
          if (!addition) {
            to.writeHead(answer.statusCode ?? 502, answer.headers);
            return void answer.pipe(to);
          }
          // The text that the simulated network appends changes the length of the response, and makes its version tag
          // (`etag`) invalid.
          const headers = { ...answer.headers };
          delete headers['content-length'];
          delete headers.etag;
          to.writeHead(answer.statusCode ?? 502, headers);
          answer.on('end', () => to.end(addition));
          answer.pipe(to, { end: false });
        }
      );
      onward.on('error', () => to.destroy());
      to.on('close', () => onward.destroy());
      from.pipe(onward);
    });
    this.#http.on('upgrade', (from: IncomingMessage, socket: Socket, head: Buffer) => {
      this.asked += 1;
      this.#keep(socket);
      if (this.sockets === 'refuse') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      if (this.sockets === 'hang') return;
      const { hostname, port } = new URL(this.target);
      const server = connect(Number(port), hostname);
      this.#keep(server);
      const headers = Object.entries(from.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      server.write(`${from.method} ${from.url} HTTP/1.1\r\n${headers.join('')}\r\n`);
      server.write(head);
      server.pipe(socket);
      socket.pipe(server);
      server.on('close', () => socket.destroy());
      socket.on('close', () => server.destroy());
    });
  }

  /** Stops the data transfer over all open connections without closing the connections. */
  silence(): void {
    for (const socket of this.#open) socket.unpipe().pause();
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  async end(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  #keep(socket: Socket): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#open.delete(socket));
  }
}
