// The tests' own `test`: a server for each worker, and a watch over everything that a page says and asks for.
import { expect, test as base, type BrowserContext, type BrowserContextOptions } from '@playwright/test';
import { Server } from './server';

/** What pages complained of, and where they went. */
export class Watch {
  #faults: string[] = [];
  #allowed: RegExp[] = [];

  constructor(private readonly origin: () => string) {}

  /** From here on such complaints are what the test is about. */
  allow(...allowed: RegExp[]): void {
    this.#allowed.push(...allowed);
  }

  /** Looks at every page of this context. */
  async over(context: BrowserContext): Promise<void> {
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()))
        this.#add(`console: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.#add(`page: ${error.error()}`));
    context.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== this.origin()) this.#add(`third party: ${request.url()}`);
    });
    context.on('page', (page) =>
      page.on('websocket', (socket) => {
        if (new URL(socket.url()).host !== new URL(this.origin()).host)
          this.#add(`third party: ${socket.url()}`);
      })
    );
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} forbids ${event.blockedURI}`)
      )
    );
  }

  #add(fault: string): void {
    if (!this.#allowed.some((allowed) => allowed.test(fault))) this.#faults.push(fault);
  }

  /** Fails if anything was seen that ought not to be. */
  holds(): void {
    expect(this.#faults).toEqual([]);
  }
}

interface Fixtures {
  /** What is complained of fails the test. */
  watch: Watch;
  /** A browser of somebody else: with cookies and storage of its own, watched as the first. */
  somebody: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

/** Nothing moves, so that tests need not wait; how things move is not what they look at. */
const RESTFUL = JSON.stringify({ motion: false });

async function restful(context: BrowserContext): Promise<void> {
  await context.addInitScript((settings) => {
    if (location.protocol.startsWith('http') && !localStorage.getItem('overmate.settings'))
      localStorage.setItem('overmate.settings', settings);
  }, RESTFUL);
}

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // Playwright reads the names of the fixtures out of this pattern, which must be there.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = new Server();
      await server.start();
      await use(server);
      await server.end();
    },
    { scope: 'worker' }
  ],
  baseURL: async ({ server }, use) => use(server.url),
  watch: async ({ server }, use) => {
    const watch = new Watch(() => server.url);
    await use(watch);
    watch.holds();
  },
  context: async ({ context, watch }, use) => {
    await watch.over(context);
    await restful(context);
    await use(context);
  },
  somebody: async ({ browser, server, watch }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', ...options });
      contexts.push(context);
      await watch.over(context);
      await restful(context);
      return context;
    });
    for (const context of contexts) await context.close();
  }
});

export { expect };
