// Tests that the push messages of a browser go on after a request that gives the browser a new cookie, and end with its
// sign-out.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addBrowser, erase, makeAccount, recover, setPassword, signIn, signOut } from '$lib/api/account';

const subscription = {
  endpoint: 'https://push.example/box',
  toJSON: () => ({ keys: { p256dh: 'key', auth: 'secret' } }),
  unsubscribe: vi.fn(() => Promise.resolve(true))
};
const getSubscription = vi.fn<() => Promise<typeof subscription | null>>();
/** Requests that the server received, each as its method, its path and its body. */
let requests: string[] = [];
/** Whether the server refuses push subscriptions. */
let refuses = false;
/** Whether the server refuses the next request, because another browser has signed this browser out. */
let isSignedOut = false;

function stub(permission: NotificationPermission) {
  const getRegistration = () => Promise.resolve({ pushManager: { getSubscription } });
  vi.stubGlobal('navigator', { userAgent: '', serviceWorker: { getRegistration } });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission });
}

beforeEach(() => {
  [requests, refuses, isSignedOut] = [[], false, false];
  subscription.unsubscribe.mockClear();
  getSubscription.mockResolvedValue(subscription);
  stub('granted');
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname} ${await request.text()}`);
    if (isSignedOut) {
      isSignedOut = false;
      const headers = { 'content-type': 'application/problem+json' };
      return Response.json({ status: 401, code: 'signed-out', detail: '' }, { status: 401, headers });
    }
    // The server signs out all browsers of an account whose password is replaced by e-mail.
    isSignedOut = pathname === '/api/v1/me/recovery';
    const status = refuses && pathname === '/api/v1/me/push' ? 503 : 200;
    return Response.json({ account: {}, browsers: [] }, { status });
  });
});
afterEach(() => vi.unstubAllGlobals());

/** Replaces the password of an account by e-mail, and signs in with the new password, as the page `/recover` does. */
async function recoverAndSignIn(): Promise<void> {
  await recover('token', 'password');
  await signIn('Anna', 'password');
}

const PUSH = 'PUT /api/v1/me/push ';
const sent = () => requests.filter((request) => request.startsWith(PUSH));

it.each([
  ['a sign-in', '/me/sign-in', () => signIn('Anna', 'password')],
  ['a new account', '/me/account', () => makeAccount('Anna', 'password')],
  ['a code', '/me/browsers', () => addBrowser('code')],
  ['a new password', '/me/account/password', () => setPassword('former', 'password')],
  ['a new password by e-mail', '/me/sign-in', () => recoverAndSignIn()]
])('The browser subscribes again to push messages after %s', async (_, path, request) => {
  await request();
  const body = { endpoint: subscription.endpoint, p256dh: 'key', auth: 'secret', language: 'en' };
  expect(sent().map((text) => JSON.parse(text.slice(PUSH.length)) as unknown)).toEqual([body]);
  const place = requests.findIndex((text) => text.includes(` /api/v1${path} `));
  expect(place).toBeGreaterThanOrEqual(0);
  expect(requests.findIndex((text) => text.startsWith(PUSH))).toBeGreaterThan(place);
  expect(subscription.unsubscribe).not.toHaveBeenCalled();
});

it('A browser without a permission or without a subscription does not subscribe', async () => {
  getSubscription.mockResolvedValue(null);
  await signIn('Anna', 'password');
  getSubscription.mockResolvedValue(subscription);
  stub('default');
  await signIn('Anna', 'password');
  expect(sent()).toEqual([]);
});

it('A sign-in succeeds although the server refuses the push subscription', async () => {
  refuses = true;
  await expect(signIn('Anna', 'password')).resolves.toEqual({ account: {}, browsers: [] });
  expect(sent()).toHaveLength(1);
});

it('The push subscription ends with the sign-out of this browser, and with the erasure', async () => {
  const other = { id: '1', name: null, current: false, added_at: '' };
  await signOut(other);
  expect(subscription.unsubscribe).not.toHaveBeenCalled();
  await signOut({ ...other, current: true });
  await erase();
  expect(subscription.unsubscribe).toHaveBeenCalledTimes(2);
});

it.each([
  ['a sign-in', () => signIn('Bert', 'password')],
  ['a code', () => addBrowser('code')],
  ['a new password by e-mail', recoverAndSignIn]
])(
  'The push subscription of a browser that was signed out unnoticed does not pass on at %s',
  async (_, request) => {
    getSubscription.mockImplementation(() =>
      Promise.resolve(subscription.unsubscribe.mock.calls.length > 0 ? null : subscription)
    );
    isSignedOut = true;
    await request();
    expect(subscription.unsubscribe).toHaveBeenCalledOnce();
    expect(sent()).toEqual([]);
  }
);
