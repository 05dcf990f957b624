// Requests for the account, the browsers and the stored data of this browser's player.
import { kindOf } from '$lib/people/kind';
import { writeKnown } from '$lib/lobby/known';
import { hadAccount, noteAccount } from '$lib/people/known.svelte';
import { makePasskey, usePasskey } from '$lib/people/passkeys';
import { keepPush } from '$lib/people/push';
import { signedOut } from '$lib/people/signedout.svelte';
import { noteSignIn } from '$lib/people/signin';
import { dropPush } from '$lib/people/subscription';
import { dropReports } from '$lib/puzzles/openreports';
import { untrack } from 'svelte';
import { asProblem } from './problem';
import {
  client,
  answer,
  done,
  gone,
  on,
  beKnown,
  beKnownToJoin,
  forgetIdentity,
  type Answer
} from './request';
import type {
  MadeCodes,
  MadeBotToken,
  Mail,
  MyAccount,
  MyBotToken,
  MyBrowser,
  MyBrowsers,
  MyPasskey,
  OwnAccount,
  Privacy
} from './types';

const named = () => {
  const name = kindOf(navigator.userAgent);
  return name ? { name } : {};
};

/** Returns the list of browsers that share the matches of this browser's player. The list includes this browser. */
export const myBrowsers = (): Promise<MyBrowsers> => answer(client.GET('/api/v1/me/browsers'));

/**
 * Returns whether this browser's player has other browsers, or recovery codes with which another browser can join.
 * Returns null if the server does not answer.
 */
export async function hasOthers(): Promise<boolean | null> {
  try {
    const { browsers, recovery_codes: codes } = await myBrowsers();
    return codes !== null || browsers.some(({ current }) => !current);
  } catch {
    return null;
  }
}

/**
 * Creates a linking code, or ten recovery codes. Another browser that enters a code joins this browser's player, and
 * shares the player's matches.
 */
export async function makeCodes(kind: 'link' | 'recovery'): Promise<MadeCodes> {
  await beKnown();
  return answer(client.POST('/api/v1/me/codes', { body: { kind, ...named() } }));
}

/**
 * Adds this browser to the browsers of the player who made a given linking or recovery code. A repeated request
 * succeeds, but after a code of an account only with the cookie of the response.
 */
export async function addBrowser(code: string): Promise<MyBrowsers> {
  await beKnownToJoin();
  const request = client.POST('/api/v1/me/browsers', { body: { code, ...named() } });
  const browsers = await signedIn(answer(request));
  await keepPush();
  // The code may come from a player with an account. If this request fails, a later one tells so.
  await ownAccount().catch(() => null);
  return browsers;
}

/**
 * Waits for a sign-in, and reports the sign-in to the other parts of the page. The server takes the matches and puzzle
 * attempts of this browser's former player along, so that the reports of attempts that were not sent yet stay.
 */
async function signedIn(request: Promise<MyBrowsers>): Promise<MyBrowsers> {
  const browsers = await request;
  noteSignIn();
  return browsers;
}

/** Signs out one of the player's browsers, which may be this browser. */
export async function signOut({ id, current }: MyBrowser): Promise<void> {
  try {
    await gone(client.DELETE('/api/v1/me/browsers/{id}', on(id)));
  } catch (thrown) {
    // If the response to an earlier request was lost, the server no longer accepts the identity of this browser.
    if (!current || asProblem(thrown).code !== 'signed-out') throw thrown;
  }
  forgetIdentity();
  if (!current) return;
  noteAccount(false);
  dropReports();
  // The next user of this browser learns nothing of the offers of the player.
  writeKnown({ waiting: [], expected: [] });
  await dropPush();
}

/** Returns the account of this browser's player, and the relying party (host name) of passkeys. */
export async function ownAccount(): Promise<OwnAccount> {
  const had = untrack(hadAccount);
  const own = await answer(client.GET('/api/v1/me/account'));
  // A sign-in or sign-out during the request, perhaps in another tab, is newer than the response.
  if (hadAccount() === had) noteAccount(own.account !== null);
  return own;
}

/** Returns the account of this browser's player, or null without an account. */
export const myAccount = (): Promise<MyAccount | null> => ownAccount().then(({ account }) => account);

/**
 * Waits for the response to a request, such as a sign-in, that connects this browser with an account. Then stores in
 * the browser that it has an account, and subscribes the browser again to push messages.
 */
async function withAccount<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const data = await answer(request);
  noteAccount(true);
  signedOut.shown = false;
  await keepPush();
  return data;
}

/** Creates an account with a password for this browser's player. */
export async function makeAccount(handle: string, password: string): Promise<MyAccount> {
  await beKnown();
  return withAccount(client.POST('/api/v1/me/account', { body: { handle, password, ...named() } }));
}

/**
 * Creates a passkey with the player's consent. With a handle, the passkey is for a new account; without, for the
 * player's existing account.
 */
async function newPasskey(handle: string | null) {
  await beKnown();
  const asked = client.POST('/api/v1/me/account/passkeys/challenge', { body: { handle } });
  const { challenge, options } = await answer(asked);
  return { challenge, credential: await makePasskey(options), ...named() };
}

/** Creates an account with a passkey and without a password for this browser's player. */
export async function makeAccountWithPasskey(handle: string): Promise<MyAccount> {
  const passkey = await newPasskey(handle);
  return withAccount(client.POST('/api/v1/me/account', { body: { handle, passkey, ...named() } }));
}

/** Returns the passkeys of the player's account. */
export const myPasskeys = (): Promise<MyPasskey[]> =>
  answer(client.GET('/api/v1/me/account/passkeys')).then(({ passkeys }) => passkeys);

/**
 * Adds a passkey to the player's account. Without a given name, the name of the passkey is the kind of this browser.
 */
export async function addPasskey(name: string): Promise<MyPasskey> {
  const passkey = await newPasskey(null);
  const body = { ...passkey, ...(name.trim() && { name }) };
  return answer(client.POST('/api/v1/me/account/passkeys', { body }));
}

/** Removes a passkey from the player's account. */
export async function removePasskey(id: string): Promise<void> {
  await gone(client.DELETE('/api/v1/me/account/passkeys/{id}', on(id)));
}

/** Converts the player's account permanently to a bot account. */
export const becomeBot = (): Promise<MyAccount> => answer(client.PUT('/api/v1/me/account/bot'));

/** Returns the access tokens of the player's bot account. */
export const myBotTokens = (): Promise<MyBotToken[]> =>
  answer(client.GET('/api/v1/me/account/tokens')).then(({ tokens }) => tokens);

/** Creates an access token for the player's bot account. Only this response holds the text of the token. */
export const makeBotToken = (name: string): Promise<MadeBotToken> =>
  answer(client.POST('/api/v1/me/account/tokens', { body: { ...(name.trim() && { name }) } }));

/** Removes an access token of the player's bot account. */
export async function removeBotToken(id: string): Promise<void> {
  await gone(client.DELETE('/api/v1/me/account/tokens/{id}', on(id)));
}

/** Signs this browser in with a passkey that the player chooses. */
export async function signInWithPasskey(): Promise<MyBrowsers> {
  await beKnownToJoin();
  const { challenge, options } = await answer(client.POST('/api/v1/me/sign-in/challenge'));
  const passkey = { challenge, credential: await usePasskey(options) };
  return signedIn(withAccount(client.POST('/api/v1/me/sign-in/passkey', { body: { passkey, ...named() } })));
}

/** Signs this browser in to an account by handle and password. */
export async function signIn(handle: string, password: string): Promise<MyBrowsers> {
  await beKnownToJoin();
  return signedIn(withAccount(client.POST('/api/v1/me/sign-in', { body: { handle, password, ...named() } })));
}

/**
 * Sets a new password for the player's account. `former` is the present password, or null for an account without a
 * password.
 */
export async function setPassword(former: string | null, password: string): Promise<void> {
  await done(client.PUT('/api/v1/me/account/password', { body: { former, password } }));
  await keepPush();
}

/** Changes the handle of the player's account. */
export const setHandle = (handle: string): Promise<MyAccount> =>
  answer(client.PUT('/api/v1/me/account/handle', { body: { handle } }));

/** Sets whether the profile of the player's account is hidden. */
export const setProfile = (hidden: boolean): Promise<MyAccount> =>
  answer(client.PUT('/api/v1/me/account/profile', { body: { private: hidden } }));

/** Returns the e-mail address of the player's account. */
export const ownMail = (): Promise<Mail> => answer(client.GET('/api/v1/me/mail'));

/**
 * Sets the e-mail address of the player's account. `recovery` tells whether the password can be replaced by e-mail. A
 * new address must be confirmed by a link.
 */
export const setMail = (
  address: string,
  recovery: boolean,
  language: string,
  password: string | null
): Promise<Mail> =>
  answer(client.PUT('/api/v1/me/mail', { body: { address, recovery, language, password } }));

/** Removes the e-mail address of the player's account. */
export const removeMail = (password: string | null): Promise<void> =>
  done(client.POST('/api/v1/me/mail/removal', { body: { password } }));

/** Switches e-mails about turns in correspondence matches on or off. */
export const setTurnMails = (turns: boolean, language: string): Promise<Mail> =>
  answer(client.PUT('/api/v1/me/mail/turns', { body: { turns, language } }));

/** Switches off e-mails about turns, by the secret token from a link in such an e-mail. */
export const stopTurnMails = (token: string): Promise<void> =>
  done(client.POST('/api/v1/me/mail/unsubscription', { body: { token } }));

/** Confirms an e-mail address, by the secret token from the link that the server sent to the address. */
export const confirmMail = (token: string): Promise<void> =>
  done(client.POST('/api/v1/me/mail/confirmation', { body: { token } }));

/**
 * Requests an e-mail with a link for setting a new password. A handle or an e-mail address identifies the account.
 */
export const requestRecovery = (account: string): Promise<void> =>
  done(client.POST('/api/v1/me/recovery', { body: { account } }));

/**
 * Sets a new password, by the secret token from the link that the server sent by e-mail. Returns the handle of the
 * account.
 */
export async function recover(token: string, password: string): Promise<string> {
  // If another browser has signed this browser out, the push subscription of its former person ends first.
  await beKnownToJoin();
  const { handle } = await answer(client.PUT('/api/v1/me/recovery', { body: { token, password } }));
  // The server has now signed out all browsers of the account. If this browser is one of them, the server says so to the
  // next request only. The browser keeps its push subscription, because the sign-in that follows is for the same person.
  await client.POST('/api/v1/identity').catch(() => undefined);
  return handle;
}

/** URL path of the export of all data that the server stores about this browser. */
export const exportAddress = '/api/v1/me/export';

/** Erases all data that the server stores about this browser. */
export async function erase(): Promise<void> {
  await done(client.DELETE('/api/v1/me'));
  forgetIdentity();
  noteAccount(false);
  await dropPush();
}

/** Reads the retention periods of the server's data. */
export const privacyFacts = (): Promise<Privacy> => answer(client.GET('/api/v1/privacy'));
