// Tests push notifications: the switch on the progress page, and the service worker that shows push messages.
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from '@playwright/test';
import type { components } from '../src/lib/api/schema';
import { newMatch } from './support/api';
import { wholeBrowser } from './support/chromium';
import { focusOn } from './support/focus';
import { expect, test } from './support/test';

test.use({ installs: true, launchOptions: wholeBrowser });

type Message = Record<'title' | 'path' | 'language', string> & { body: string | null };

/**
 * Push messages that the test delivers to the service worker, one message of each kind. A test of the server compares
 * the sent messages with these messages.
 */
const MESSAGES = JSON.parse(
  readFileSync(new URL('../tests/fixtures/push-messages.json', import.meta.url), 'utf8')
) as Record<'turn' | 'near' | 'offer' | 'paired', Message>;

/**
 * Gives a page a simulated push subscription, because a browser creates a subscription only with network access. The
 * keys are those of the example in RFC 8291.
 */
const withSubscription = (page: Page) =>
  page.addInitScript(() => {
    const NAME = 'test-subscription';
    const subscription = {
      endpoint: 'https://push.example/box',
      toJSON: () => ({
        endpoint: 'https://push.example/box',
        keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg'
        }
      }),
      unsubscribe: async () => {
        sessionStorage.removeItem(NAME);
        return true;
      }
    };
    PushManager.prototype.subscribe = async (options) => {
      sessionStorage.setItem(NAME, String(options?.applicationServerKey));
      return subscription as unknown as PushSubscription;
    };
    PushManager.prototype.getSubscription = async () =>
      sessionStorage.getItem(NAME) === null ? null : (subscription as unknown as PushSubscription);
  });

async function subscribed(context: BrowserContext): Promise<components['schemas']['Push']> {
  return (await (await context.request.get('/api/v1/me/push')).json()) as components['schemas']['Push'];
}

test('a person switches notifications on and off', async ({ page, context }) => {
  await context.grantPermissions(['notifications']);
  await withSubscription(page);
  await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  await page.goto('/me');
  const state = page.getByTestId('push-state');
  await expect(state).toHaveText('Notifications are off.');
  await focusOn(page.getByTestId('push-switch'));
  await page.keyboard.press('Enter');
  await expect(state).toHaveText('Notifications are on in this browser.');
  const { key, subscribed: isOn } = await subscribed(context);
  expect(isOn).toBe(true);
  // The push subscription uses the server's public key.
  expect(await page.evaluate(() => sessionStorage.getItem('test-subscription'))).toBe(key);
  await page.reload();
  await expect(state).toHaveAttribute('data-state', 'on');
  await page.getByTestId('push-switch').click();
  await expect(state).toHaveAttribute('data-state', 'off');
  expect((await subscribed(context)).subscribed).toBe(false);
});

test('a browser that forbids notifications says so', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
  await page.goto('/me');
  await expect(page.getByTestId('push-state')).toContainText('forbids notifications');
  await expect(page.getByTestId('push-switch')).toHaveCount(0);
});

test('a message becomes one notification for each match', async ({ page, context, server }) => {
  await context.grantPermissions(['notifications']);
  await withSubscription(page);
  await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated');
      if (active) resolve(active.registrationId);
    })
  );
  await session.send('ServiceWorker.enable');
  await page.goto('/me');
  await page.getByTestId('push-switch').click();
  await expect(page.getByTestId('push-state')).toHaveAttribute('data-state', 'on');
  const registrationId = await registered;
  const deliver = (message: unknown) =>
    session.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(server.url).origin,
      registrationId,
      data: typeof message === 'string' ? message : JSON.stringify(message)
    });
  const titles = () =>
    page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      const registration = await navigator.serviceWorker.getRegistration('/');
      const found = (await registration?.getNotifications()) ?? [];
      // Chromium may show a notification of its own after a push message without a notification.
      const shown = found.filter(({ tag }) => !tag.startsWith('user_visible'));
      return active ? shown.map(({ title, body, tag }) => ({ title, body, tag })) : [];
    });
  let delivered = 0;
  for (const message of Object.values(MESSAGES)) {
    await deliver(message);
    const { title, body, path } = message;
    await expect.poll(titles).toEqual([{ title, body: body ?? '', tag: path }]);
    delivered += 1;
  }
  expect(delivered).toBe(4);
  // The service worker ignores a push message whose text has an unknown format, and a push message with the URL of
  // another site. The notification of the last message shows that the service worker has read the ignored messages.
  const { turn, paired } = MESSAGES;
  await deliver('no message');
  await deliver({ ...turn, path: 'https://other.example/' });
  await deliver({ ...turn, path: `/match/${'1'.repeat(32)}` });
  await expect
    .poll(async () => (await titles()).map(({ title }) => title).sort())
    .toEqual([turn.title, paired.title].sort());
});
