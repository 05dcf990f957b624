// Installs the service worker, with which the page starts without a network, and detects new versions of the page.

/**
 * Pause between the load of a page and the caching of the site's files, in milliseconds. The pause leaves the network
 * to the first page.
 */
const INSTALL_MS = 2000;

/** Pause between two checks for a new version of the page, in milliseconds. */
const LOOK_MS = 3_600_000;

/** Message by which the page asks a waiting service worker to become active immediately. */
const TAKE_OVER = 'take-over';

/**
 * Timeout of the takeover by a new version of the page, in milliseconds. A browser may let the old service worker work
 * on for minutes, until the page is loaded again. The timeout is longer than the service worker waits for a response of
 * the server.
 */
const TAKE_OVER_MS = 4000;

class Updates {
  /**
   * Service worker of a new version of the page; null without a new version. The service worker waits for the viewer's
   * consent, or has taken over by the consent in another tab.
   */
  waiting = $state.raw<ServiceWorker | null>(null);
  /** Whether the viewer has accepted the new version of the page, and the page is about to reload. */
  accepted = $state(false);

  /**
   * Installs the service worker in a browser that supports service workers. Returns the function that ends the checks
   * for new versions.
   */
  start(): () => void {
    if (!('serviceWorker' in navigator) || import.meta.env.DEV) return () => {};
    const workers = navigator.serviceWorker;
    const hadController = workers.controller !== null;
    const onchange = () => {
      if (this.accepted) location.reload();
      // The first service worker belongs to the version of this page, and each later service worker to a newer version.
      else if (hadController) this.waiting = workers.controller;
    };
    workers.addEventListener('controllerchange', onchange);
    let registration: ServiceWorkerRegistration | null = null;
    // An error during the installation of the service worker is ignored. Without a service worker the page needs the
    // network, as before.
    const install = () =>
      void workers.register('/service-worker.js').then(
        (made) => this.#watch((registration = made)),
        () => {}
      );
    const first = setTimeout(install, INSTALL_MS);
    const look = setInterval(() => void registration?.update().catch(() => {}), LOOK_MS);
    return () => {
      clearTimeout(first);
      clearInterval(look);
      workers.removeEventListener('controllerchange', onchange);
    };
  }

  #watch(registration: ServiceWorkerRegistration): void {
    const note = () => {
      // Without a controller, the waiting service worker is the first service worker, and takes over by itself.
      if (registration.waiting && navigator.serviceWorker.controller) this.waiting = registration.waiting;
    };
    note();
    registration.addEventListener('updatefound', () =>
      registration.installing?.addEventListener('statechange', note)
    );
  }

  /** Lets the service worker of the new version take over, and reloads the page. */
  accept(): void {
    if (this.accepted) return;
    this.accepted = true;
    // If another tab has already activated the service worker of the new version of the page, a reload of this page is
    // enough.
    if (this.waiting?.state !== 'installed') return location.reload();
    this.waiting.postMessage(TAKE_OVER);
    setTimeout(() => location.reload(), TAKE_OVER_MS);
  }
}

export const updates = new Updates();
