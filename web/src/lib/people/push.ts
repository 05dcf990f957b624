// Switches the server's push messages on or off in this browser.
import { endPush, pushState, startPush } from '$lib/api/playersettings';
import { getLocale } from '$lib/paraglide/runtime';
import { isSupported, subscription } from './subscription';

/** State of push messages in this browser. */
export type PushState =
  /** Push messages are unavailable: the browser does not support them, or the page is not in a secure context. */
  | 'unsupported'
  /** Push messages are unavailable: the server does not offer them. */
  | 'absent'
  /** Push messages are unavailable: the person has forbidden notifications of this site. */
  | 'denied'
  | 'off'
  | 'on';

/** Time limit for the installation of the service worker, in milliseconds. */
const INSTALLATION = 15_000;

/**
 * Waits for the installed service worker. Throws a `DOMException` after a time limit, because the browser reports no
 * failed installation here.
 */
async function installed(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/service-worker.js');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const fault = 'the service worker is not installed: load the page again';
    timer = setTimeout(() => reject(new DOMException(fault, 'TimeoutError')), INSTALLATION);
  });
  return Promise.race([navigator.serviceWorker.ready, late]).finally(() => clearTimeout(timer));
}

/** Returns whether push messages are on, off or unavailable in this browser. */
export async function readPush(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  const { key, subscribed } = await pushState();
  if (key === null) return 'absent';
  if (Notification.permission === 'denied') return 'denied';
  return subscribed && (await subscription()) !== null ? 'on' : 'off';
}

/** Sends a push subscription of this browser to the server. */
async function register(made: PushSubscription): Promise<void> {
  const { keys } = made.toJSON();
  await startPush({
    endpoint: made.endpoint,
    p256dh: keys?.p256dh ?? '',
    auth: keys?.auth ?? '',
    language: getLocale()
  });
}

/** Asks for the permission to notify, and subscribes this browser to push messages. Returns the new state. */
export async function switchOn(): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return readPush();
  const { key } = await pushState();
  if (key === null) return 'absent';
  const { pushManager } = await installed();
  // An existing push subscription is ended first, because the server cannot use a subscription that was made with one
  // of its former keys.
  await (await pushManager.getSubscription())?.unsubscribe();
  await register(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  return readPush();
}

/** Ends the push subscription of this browser. Returns the new state. */
export async function switchOff(): Promise<PushState> {
  await endPush();
  await (await subscription())?.unsubscribe();
  return readPush();
}

/**
 * Sends the push subscription of this browser to the server again, after the browser has got a new cookie. The server
 * removes the subscription of the former cookie, because somebody else may have made it. After a failure, push
 * messages are off.
 */
export async function keepPush(): Promise<void> {
  try {
    const own = isSupported() && Notification.permission === 'granted' ? await subscription() : null;
    if (own) await register(own);
  } catch {
    // The switch of the page `/me` shows that push messages are off.
  }
}
