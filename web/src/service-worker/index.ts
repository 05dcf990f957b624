// Caches the files of the page, so that the page starts without a network, and shows push messages as notifications.
// Responses of the server's API and personal data are never kept.
import { build, files } from '$service-worker';
import template from '../app.html?raw';
import { cacheName, isPagePath } from './paths';

const worker = globalThis as unknown as ServiceWorkerGlobalScope;

/** Push message from the server. */
interface Message {
  title: string;
  body: string | null;
  /** URL path, on this site, of the match that the push message is about. */
  path: string;
  language: string;
}

/** Parses a push message. Returns null for a text that is not a push message. */
function messageIn(text: string | undefined): Message | null {
  try {
    const { title, body, path, language } = JSON.parse(text ?? '') as Record<string, unknown>;
    const isMessage = typeof title === 'string' && typeof path === 'string' && path.startsWith('/match/');
    if (!isMessage) return null;
    return {
      title,
      path,
      body: typeof body === 'string' ? body : null,
      language: language === 'de' ? 'de' : 'en'
    };
  } catch {
    return null;
  }
}

/** Options of a browser notification, including the field `renotify`, which TypeScript's type definitions lack. */
type Options = NotificationOptions & { renotify: boolean };

/**
 * Shows a push message as a notification. The server sends no message about a match that the person is looking at.
 */
async function show({ title, body, path, language }: Message): Promise<void> {
  const options: Options = {
    body: body ?? undefined,
    lang: language,
    icon: '/icon-192.png',
    // A later notification about the same match replaces the earlier notification, and alerts the person again.
    tag: path,
    renotify: true,
    data: path
  };
  await worker.registration.showNotification(title, options);
}

/** Message by which a page asks a waiting service worker to become active immediately. */
const TAKE_OVER = 'take-over';

/** URL path of the site's only HTML file. The server sends the same file for every page. */
const PAGE = '/';

/** Name of the browser cache that holds the files of the present version of the site. */
const CACHE = cacheName(build, template);

/**
 * Files of the site's build that the service worker caches at its installation. Fonts in the older format WOFF are
 * omitted, because browsers with service workers read WOFF2. Letters of other languages are omitted, because few texts
 * need them.
 */
const KEPT = build.filter((path) => !/\.woff$|(cyrillic|vietnamese)[^/]*\.woff2$/.test(path));

/** Static files whose names stay the same in every version of the site, such as icons. */
const OTHERS = new Set(files);

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT);
  await cache.addAll(
    [PAGE, ...files].map((path) => new Request(path, { cache: 'reload', credentials: 'omit' }))
  );
}

/**
 * Removes the caches of all versions of the site except the present version and its two predecessors. Pages of the previous
 * version may still be open. A version that never took over also leaves a cache, so that the last cache may not be the
 * previous version's.
 */
async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.slice(0, -2).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * Returns a file from the caches of the site, or undefined without a copy. A browser that cannot read its caches, for
 * example because its disk is full, counts as a browser without a copy, so that the server is asked.
 */
const cached = (request: Request | string, options?: MultiCacheQueryOptions): Promise<Response | undefined> =>
  caches.match(request, options).catch(() => undefined);

/**
 * Returns a file of the site's build from the cache of any version of the site, or else from the server. The content of
 * such a file never changes.
 */
const unchanging = async (request: Request): Promise<Response> => (await cached(request)) ?? fetch(request);

const kept = (path: string): Promise<Response | undefined> => cached(path, { cacheName: CACHE });

/** Returns the site's HTML file from the cache of the present version of the site, or else from the server. */
const page = async (request: Request): Promise<Response> => (await kept(PAGE)) ?? fetch(request);

/**
 * Timeout, in milliseconds, for the start of the server's response to a request for a file whose name is the same in
 * every version of the site. A request without a response keeps a new version of the service worker from taking over.
 */
const ANSWER_MS = 3000;

/** Returns a file from the server or, if the server does not begin to respond in time, from the cache. */
async function latest(request: Request, path: string): Promise<Response> {
  const known = await kept(path);
  if (!known) return fetch(request);
  const tooLate = new AbortController();
  const timer = setTimeout(() => tooLate.abort(), ANSWER_MS);
  request.signal.addEventListener('abort', () => tooLate.abort());
  try {
    return await fetch(request, { signal: tooLate.signal });
  } catch {
    return known;
  } finally {
    clearTimeout(timer);
  }
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));

worker.addEventListener('message', (event) => {
  if (event.data === TAKE_OVER) void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  // The name of each file in `/_app/immutable/` contains a hash of the file, so that the file never changes.
  if (pathname.startsWith('/_app/immutable/')) event.respondWith(unchanging(request));
  else if (OTHERS.has(pathname)) event.respondWith(latest(request, pathname));
  else if (request.mode === 'navigate' && isPagePath(pathname)) event.respondWith(page(request));
});

worker.addEventListener('push', (event) => {
  const message = messageIn(event.data?.text());
  if (message) event.waitUntil(show(message));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  // A click on a notification always opens a new window. Some browsers report only the first address of a page, so
  // that another page might come up.
  event.waitUntil(worker.clients.openWindow(String(event.notification.data)));
});
