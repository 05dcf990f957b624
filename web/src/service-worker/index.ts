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

/** The types of the library lack `renotify`. */
type Options = NotificationOptions & { renotify: boolean };

/** Shows a message. The server sends none about a match that the person sees. */
async function show({ title, body, path, language }: Message): Promise<void> {
  const options: Options = {
    body: body ?? undefined,
    lang: language,
    icon: '/icon-192.png',
    // A later message about the same match replaces this one, and alerts the person again.
    tag: path,
    renotify: true,
    data: path
  };
  await worker.registration.showNotification(title, options);
}

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('push', (event) => {
  const message = messageIn(event.data?.text());
  if (message) event.waitUntil(show(message));
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  // Always a new window: some browsers tell only at which address a page began, so that another page might come up.
  event.waitUntil(worker.clients.openWindow(String(event.notification.data)));
});
