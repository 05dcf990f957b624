// Controls Firefox and WebKit by the WebDriver protocol (W3C). A match needs only a few commands of the protocol.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from './test';

/** WebDriver program of a browser engine, with the capabilities that select and start the browser. */
export interface Engine {
  program: string;
  capabilities: Record<string, unknown>;
}

/** Returns a TCP port that is free at the time of the call. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export class Driver {
  #session = '';

  private constructor(
    private readonly program: ChildProcess,
    private readonly url: string
  ) {}

  /** Starts the WebDriver program and its browser. */
  static async start({ program, capabilities }: Engine): Promise<Driver> {
    const port = await freePort();
    const child = spawn(program, [`--port=${port}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    await once(child, 'spawn');
    const driver = new Driver(child, `http://127.0.0.1:${port}`);
    const isReady = async () => (await fetch(`${driver.url}/status`).catch(() => null))?.ok;
    await expect.poll(isReady, `${program} accepts sessions`).toBe(true);
    const session = await driver.#send<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: capabilities }
    });
    driver.#session = `/session/${session.sessionId}`;
    return driver;
  }

  async open(url: string): Promise<void> {
    await this.#send('POST', `${this.#session}/url`, { url });
  }

  /** Sets the outer size of the browser window. */
  async resize(width: number, height: number): Promise<void> {
    await this.#send('POST', `${this.#session}/window/rect`, { width, height });
  }

  /** Runs a function in the page that the browser shows, and returns the function's value. */
  run<Given extends unknown[], Value>(
    action: (...given: Given) => Value | Promise<Value>,
    ...given: Given
  ): Promise<Value> {
    return this.#send('POST', `${this.#session}/execute/sync`, {
      script: `return (${action.toString()})(...arguments)`,
      args: given
    });
  }

  /** Clicks the centre of the first element that matches a CSS selector. */
  async click(selector: string): Promise<void> {
    const found = await this.#send<Record<string, string>>('POST', `${this.#session}/element`, {
      using: 'css selector',
      value: selector
    });
    await this.#send('POST', `${this.#session}/element/${Object.values(found)[0]}/click`, {});
  }

  /** Closes the browser, and terminates the WebDriver process. */
  async end(): Promise<void> {
    if (this.#session) await this.#send('DELETE', this.#session);
    this.program.kill();
  }

  async #send<Value>(method: string, path: string, body?: unknown): Promise<Value> {
    const response = await fetch(this.url + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' }
      })
    });
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }
}
