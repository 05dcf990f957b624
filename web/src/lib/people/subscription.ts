// Reads and ends the push subscription of this browser, without requests to the server.

/** Returns whether this browser supports push messages in this page. */
export const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Returns the push subscription of this browser, or null without a subscription. */
export async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Ends the push subscription of a browser that was signed out, so that no later sign-in of another person keeps it. */
export async function dropPush(): Promise<void> {
  try {
    if (isSupported()) await (await subscription())?.unsubscribe();
  } catch {
    // The server has already removed the push subscription.
  }
}
