// Defines the fixtures of the browser tests: a server for each worker process of Playwright, and a watcher that records
// the errors and third-party requests of all pages.
import {
  expect,
  test as base,
  type BrowserContext,
  type BrowserContextOptions,
  type Page
} from '@playwright/test';
import { Server } from './server';

/** Watcher of browser pages that collects console errors and requests to third parties. */
export class Watch {
  #faults: string[] = [];
  #allowed: RegExp[] = [];

  constructor(private readonly origin: () => string) {}

  /** Allows errors that match a pattern, for tests that provoke such errors. */
  allow(...allowed: RegExp[]): void {
    this.#allowed.push(...allowed);
  }

  /** Starts to collect the errors and the third-party requests of every page in a browser context. */
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

  /** Fails the test if a watched page had an unexpected error. */
  holds(): void {
    expect(this.#faults).toEqual([]);
  }
}

interface Options {
  /** Whether the pages of a test install the service worker. */
  installs: boolean;
}

interface Fixtures extends Options {
  /** Watcher of browser pages that fails the test at an unexpected error. */
  watch: Watch;
  /**
   * Opens the browser of another player, with separate cookies and storage. The error watcher of the test also covers
   * this browser.
   */
  somebody: (options?: BrowserContextOptions) => Promise<BrowserContext>;
}

/** Stored page settings that switch off pauses, animations and explanations. */
const RESTFUL = JSON.stringify({ speed: 'none', coach: false });

async function restful(context: BrowserContext): Promise<void> {
  await context.addInitScript((settings) => {
    if (location.protocol.startsWith('http') && !localStorage.getItem('overmate.settings'))
      localStorage.setItem('overmate.settings', settings);
  }, RESTFUL);
}

/**
 * Prevents the pages of a browser context from installing a service worker, which would load all files of the page in
 * each test. Playwright's own option breaks the registration and prints a warning.
 */
export async function withoutServiceWorker(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
}

/** Waits until the service worker has cached the files of the page and answers the page's requests. */
export async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
    );
  });
}

/** Blocks the engine's file for the pages of a browser context that has no service worker. */
export const withoutEngine = (context: BrowserContext): Promise<unknown> =>
  context.route('**/*.wasm', (route) => route.abort());

/**
 * Delays most requests of the pages of a browser context by up to 1.5 seconds, so that responses arrive late and out
 * of order.
 */
async function slowed(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const send = window.fetch.bind(window);
    window.fetch = async (...request) => {
      if (Math.random() < 0.6) await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500));
      return send(...request);
    };
  });
}

/**
 * Prepares a new browser context for a test: records page errors, and stores page settings that switch off pauses and
 * animations. Unless `installs` is set, the pages install no service worker. With the environment variable
 * `OVERMATE_SLOW=1`, requests are delayed.
 */
async function prepare(context: BrowserContext, installs: boolean, watch: Watch): Promise<void> {
  await watch.over(context);
  if (!installs) await withoutServiceWorker(context);
  if (process.env.OVERMATE_SLOW === '1') await slowed(context);
  await restful(context);
}

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // Playwright reads the names of the fixtures from the parameter's object pattern, so that the empty pattern must
    // stay.
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
  installs: [false, { option: true }],
  context: async ({ context, installs, watch }, use) => {
    await prepare(context, installs, watch);
    await use(context);
  },
  somebody: async ({ browser, installs, server, watch }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB', ...options });
      contexts.push(context);
      await prepare(context, installs, watch);
      return context;
    });
    for (const context of contexts) await context.close();
  }
});

export { expect };
