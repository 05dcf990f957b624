// Shows the push messages of the server as notifications, and opens the match of a notification. Caches nothing.

const worker = globalThis as unknown as ServiceWorkerGlobalScope;

/** Message of the server. */
interface Message {
  title: string;
  body: string | null;
  /** Path of the match on this site. */
  path: string;
  language: string;
}

/** Returns the message in a text, or null for a text of another form. */
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

/** Returns the open pages of this site. */
const pages = () => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });

async function show(message: Message): Promise<void> {
  const open = await pages();
  const isSeen = open.some(
    (page) => page.visibilityState === 'visible' && new URL(page.url).pathname === message.path
  );
  if (isSeen) return;
  await worker.registration.showNotification(message.title, {
    body: message.body ?? undefined,
    lang: message.language,
    icon: '/icon-192.png',
    // A later message about the same match replaces this one.
    tag: message.path,
    data: message.path
  });
}

async function open(path: string): Promise<void> {
  const all = await pages();
  const page = all.find(({ url }) => new URL(url).pathname === path);
  await (page ? page.focus() : worker.clients.openWindow(path));
}

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('push', (event) => {
  const message = messageIn(event.data?.text());
  if (message) event.waitUntil(show(message));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(event.notification.data)));
});
