// Tests e-mail: an address is added and confirmed, and a forgotten password is replaced. The test starts its own
// server and an SMTP server. Without an SMTP server the pages say nothing of e-mail.
import { createServer, type AddressInfo, type Server as Listener, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { act, newMatch, stateOf } from './support/api';
import { focusOn } from './support/focus';
import { Server } from './support/server';
import { expect, test } from './support/test';

const PASSWORD = 'correct horse battery';

/** SMTP server (RFC 5321) that accepts every e-mail. */
class Smtp {
  readonly letters: { to: string; text: string }[] = [];
  #listener: Listener = createServer((socket) => void this.#talk(socket));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#listener.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  end(): void {
    this.#listener.close();
  }

  async #talk(socket: Socket): Promise<void> {
    socket.on('error', () => {});
    socket.write('220 mail.example ESMTP\r\n');
    let to = '';
    let text: string[] | null = null;
    for await (const line of createInterface({ input: socket })) {
      if (text) {
        if (line === '.') {
          // Decodes soft line breaks and encoded characters of the transfer encoding quoted-printable (RFC 2045).
          const plain = text.join('\n').replace(/=\n/g, '');
          const decoded = plain.replace(/=([0-9A-F]{2})/g, (_, code: string) =>
            String.fromCharCode(parseInt(code, 16))
          );
          this.letters.push({ to, text: decoded });
          text = null;
          socket.write('250 ok\r\n');
        } else text.push(line);
      } else if (line.startsWith('DATA')) {
        text = [];
        socket.write('354 go on\r\n');
      } else {
        if (line.startsWith('RCPT')) to = /<(.*)>/.exec(line)?.[1] ?? '';
        socket.write(line.startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
      }
    }
  }

  /**
   * Waits for the e-mail with the given number (from 1), and returns the path and the token of its link. The e-mail
   * must be addressed to `to`.
   */
  async link(number: number, to: string): Promise<string> {
    await expect.poll(() => this.letters.length).toBeGreaterThanOrEqual(number);
    const letter = this.letters[number - 1];
    expect(letter?.to).toBe(to);
    return /http:\/\/localhost:2420(\/[a-z-]+#[0-9a-f]{64})/.exec(letter?.text ?? '')?.[1] ?? '';
  }
}

test('an address is confirmed, and a link to it replaces a forgotten password', async ({ browser }) => {
  const smtp = new Smtp();
  const server = new Server();
  const options = ['--smtp', await smtp.start(), '--mail-from', 'Overmate <mate@mate.example>'];
  await server.start([...options, '--public-url', 'http://localhost:2420']);
  try {
    const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
    const begun = await newMatch(context, { rules: 'bga', opponent: { kind: 'both' } });
    const match = await act(context, begun, begun.current.legal[0]?.action ?? '');
    const page = await context.newPage();
    await page.goto('/me');
    await page.getByTestId('make-account').click();
    await page.getByLabel('Handle').fill('Anna');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByTestId('send-account').click();
    await expect(page.getByTestId('handle')).toContainText('Your handle is Anna.');

    // The form for an e-mail address works by keyboard: a wrong password shows a problem, and the right password sends
    // the e-mail.
    await focusOn(page.getByTestId('set-mail'));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'E-mail' });
    await dialog.getByLabel('E-mail address').fill('anna@mate.example');
    await expect(dialog.getByLabel('Let a link sent to this address set a new password')).toBeChecked();
    await dialog.getByLabel('Password', { exact: true }).fill('wrong horse battery');
    await page.keyboard.press('Enter');
    await expect(dialog.getByTestId('problem')).toHaveAttribute('data-code', 'password-wrong');
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('mail-pending')).toContainText('anna@mate.example');
    await expect(page.getByTestId('mail-address')).toHaveCount(0);

    // The link in the e-mail confirms the e-mail address once, also on a phone that has no account and is set to
    // German.
    const german = { locale: 'de-DE', viewport: { width: 320, height: 568 } };
    const other = await browser.newContext({ baseURL: server.url, ...german });
    const phone = await other.newPage();
    const confirm = await smtp.link(1, 'anna@mate.example');
    await phone.goto(confirm);
    await phone.getByRole('button', { name: 'Adresse bestätigen' }).click();
    await expect(phone.getByTestId('confirmed')).toHaveText('Die Adresse ist bestätigt.');
    await expect(phone.getByTestId('confirmed')).toBeFocused();
    expect(new URL(phone.url()).hash).toBe('');
    await phone.goto('/');
    await phone.goto(confirm);
    await phone.getByTestId('confirm').click();
    await expect(phone.getByTestId('problem')).toHaveAttribute('data-code', 'link-refused');
    await page.reload();
    await expect(page.getByTestId('mail-address')).toContainText('Your address is anna@mate.example.');
    await expect(page.getByTestId('mail-pending')).toHaveCount(0);

    // The player asks for a new password because the old password is forgotten. For an unknown account, the page shows
    // the same response.
    for (const name of ['Nobody', 'ANNA@mate.example']) {
      await phone.goto('/sign-in');
      await phone.getByTestId('forgotten').click();
      await phone.getByLabel('Kontoname oder E-Mail-Adresse').fill(name);
      await phone.keyboard.press('Enter');
      await expect(phone.getByTestId('asked')).toContainText('Wenn es ein solches Konto');
      await expect(phone.getByTestId('asked')).toBeFocused();
    }
    await phone.goto(await smtp.link(2, 'anna@mate.example'));
    await phone.getByLabel('Neues Passwort', { exact: true }).fill('another horse battery');
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await phone.keyboard.press('Enter');
    await expect(phone.getByTestId('recovered')).toContainText('Das Konto Anna hat sein neues Passwort');
    await expect(phone.getByTestId('recovered')).toBeFocused();
    await phone.goto('/me');
    await expect(phone.getByTestId('handle')).toContainText('Anna');
    await phone.goto('/');
    await expect(phone.locator(`a[href="/match/${match.id}"]`).first()).toBeVisible();
    expect(smtp.letters).toHaveLength(2);
    // The browser that knew the former password is signed out.
    await page.goto('/me');
    await expect(page.getByTestId('make-account')).toBeVisible();

    await phone.goto('/me');
    // The removal of the e-mail address needs the password. An e-mail to this address reports the removal.
    await phone.getByTestId('remove-mail').click();
    const removal = phone.getByRole('dialog', { name: 'Adresse entfernen' });
    await removal.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
    await removal.getByTestId('send-mail').click();
    await expect(removal.getByTestId('problem')).toHaveAttribute('data-code', 'password-wrong');
    await removal.getByLabel('Passwort', { exact: true }).fill('another horse battery');
    await removal.getByTestId('send-mail').click();
    await expect(phone.getByTestId('mail-said')).toHaveText('Die Adresse ist entfernt.');
    await expect(phone.getByTestId('mail').getByRole('heading')).toBeFocused();
    await expect.poll(() => smtp.letters.length).toBe(3);
    expect(smtp.letters[2]?.text).toContain('Subject: Overmate: your e-mail address was removed');
    await phone.goto('/privacy');
    await expect(phone.getByTestId('privacy')).toContainText('Eine E-Mail-Adresse ist freiwillig.');
    await context.close();
    await other.close();
  } finally {
    await server.end();
    smtp.end();
  }
});

test('e-mails about turns are switched on by their player, and off by a link in them', async ({
  browser
}) => {
  const smtp = new Smtp();
  const server = new Server();
  const options = ['--smtp', await smtp.start(), '--mail-from', 'mate@mate.example'];
  await server.start([...options, '--public-url', 'http://localhost:2420']);
  try {
    const context = await browser.newContext({ baseURL: server.url, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto('/me');
    await page.getByTestId('make-account').click();
    await page.getByLabel('Handle').fill('Anna');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByTestId('send-account').click();
    await page.getByTestId('set-mail').click();
    await page.getByLabel('E-mail address').fill('anna@mate.example');
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByTestId('send-mail').click();
    await expect(page.getByTestId('mail-pending')).toBeVisible();
    // Only a confirmed address can receive e-mails about turns.
    await expect(page.getByTestId('turn-mails')).toHaveCount(0);
    await page.goto(await smtp.link(1, 'anna@mate.example'));
    await page.getByTestId('confirm').click();
    await expect(page.getByTestId('confirmed')).toBeVisible();
    await page.goto('/me');
    const box = page.getByLabel('Tell me by e-mail when it is my turn in a match by correspondence');
    await expect(box).not.toBeChecked();
    await focusOn(box);
    await page.keyboard.press('Space');
    await expect(page.getByTestId('mail-said')).toHaveText('You get e-mails about your turns.');
    await page.reload();
    await expect(box).toBeChecked();

    // An opponent begins a match by correspondence with Anna, who wants e-mails about her turns, and acts until Anna
    // has to act.
    const other = await browser.newContext({ baseURL: server.url, locale: 'de-DE' });
    const clock = { kind: 'days' as const, days: 3 };
    const lead = 'me' as const;
    const begun = await newMatch(other, { rules: 'bga', opponent: { kind: 'friend' }, lead, clock });
    await page.goto(begun.invitation ?? '');
    await page.getByTestId('join').click();
    await expect(page).toHaveURL(`/match/${begun.id}`);
    await page.goto('/rules');
    let state = await stateOf(other, begun.id);
    while (state.current.legal.length > 0)
      state = await act(other, state, state.current.legal[0]?.action ?? '');
    server.makeMailDue();
    await expect.poll(() => smtp.letters.length).toBe(2);
    const text = smtp.letters[1]?.text ?? '';
    expect(text).toContain(`http://localhost:2420/match/${begun.id}`);
    const link = /List-Unsubscribe: <http:\/\/localhost:2420(\/unsubscribe\/[0-9a-f]{64})>/.exec(text)?.[1];

    // The page of the unsubscribe link changes nothing before its button is pressed, and needs no account.
    const phone = await browser.newContext({
      baseURL: server.url,
      locale: 'de-DE',
      viewport: { width: 320, height: 568 }
    });
    const stranger = await phone.newPage();
    await stranger.goto(link ?? '/nowhere');
    await expect(stranger.getByRole('heading', { level: 1 })).toHaveText('Keine E-Mails mehr zum Zug');
    expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.goto('/me');
    await expect(box).toBeChecked();
    await stranger.getByRole('button', { name: 'E-Mails ausschalten' }).click();
    await expect(stranger.getByTestId('unsubscribed')).toBeVisible();
    await expect(stranger.getByTestId('unsubscribed')).toBeFocused();
    await page.reload();
    await expect(box).not.toBeChecked();
    await stranger.goto(`/unsubscribe/${'0'.repeat(64)}`);
    await stranger.getByTestId('unsubscribe').click();
    await expect(stranger.getByTestId('problem')).toHaveAttribute('data-code', 'link-refused');
    await Promise.all([context.close(), other.close(), phone.close()]);
  } finally {
    await server.end();
    smtp.end();
  }
});

test('without an SMTP server no page offers e-mail', async ({ page }) => {
  await page.goto('/sign-in');
  await expect(page.getByTestId('sign-in')).toBeVisible();
  await expect(page.getByTestId('forgotten')).toHaveCount(0);
  await page.goto('/me');
  await page.getByTestId('make-account').click();
  await expect(page.getByRole('dialog')).toContainText(
    'The server knows no e-mail address of yours and cannot'
  );
  await page.getByLabel('Handle').fill('Wilhelmine');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByTestId('send-account').click();
  await expect(page.getByTestId('handle')).toContainText('Wilhelmine');
  await expect(page.getByTestId('mail')).toHaveCount(0);
  await page.goto('/privacy');
  await expect(page.getByTestId('privacy')).toContainText('An account');
  await expect(page.getByTestId('privacy')).not.toContainText('An e-mail address is optional');
});
