// Sends requests to the server's API, with one function for each request.
import createClient from 'openapi-fetch';
import { kindOf } from '$lib/people/kind';
import { noteAccount } from '$lib/people/known';
import { makePasskey, usePasskey } from '$lib/people/passkeys';
import { signedOut } from '$lib/people/signedout.svelte';
import { fetchInTime } from './limits';
import { asProblem, Problem, problemIn } from './problem';
import type { paths } from './schema';
import type {
  Analysis,
  AnswerChoices,
  AnalysisRequest,
  AttemptResult,
  ConditionalAnswers,
  DaysOff,
  EventList,
  Favourite,
  Hint,
  IgnoredPerson,
  IgnoreKind,
  Invitation,
  Leaderboard,
  Lesson,
  Lobby,
  MadeCodes,
  MyMeasures,
  NewReport,
  MadeOffer,
  MatchRatings,
  MatchState,
  MatchSummary,
  MadeBotToken,
  Mail,
  MyAccount,
  MyBotToken,
  MyBrowser,
  MyBrowsers,
  MyPasskey,
  MyVisibility,
  NewMatch,
  NewEvent,
  NewOffer,
  OfflineMatch,
  OpponentRelation,
  OwnAccount,
  Pace,
  PeopleHere,
  Privacy,
  Profile,
  Progress,
  PublicMatches,
  Push,
  Puzzle,
  PuzzleOverview,
  PuzzleTheme,
  Review,
  RuleFacts,
  RuleSets,
  SeenEvent,
  SetPush,
  SetVisibility,
  SharedDealResult,
  SharedDeals,
  Talk
} from './types';

const client = createClient<paths>({
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  fetch: fetchInTime
});

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the data of a successful response, and throws a `Problem` for an error response. */
async function answer<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  let got: Answer<Data>;
  try {
    got = await request;
  } catch (thrown) {
    throw asProblem(thrown);
  }
  const { data, error, response } = got;
  if (!response.ok) {
    const problem = problemIn(error, response.status);
    if (problem.code === 'signed-out') {
      // The server has removed the identity cookie if the request would have given the browser a new identity.
      known = null;
      signedOut.shown = true;
    }
    throw problem;
  }
  if (data === undefined) throw new Problem('unknown', `HTTP ${response.status}`, response.status);
  return data;
}

/** Waits for a successful response without data, and throws a `Problem` for an error response. */
async function done(request: Promise<Answer<unknown>>): Promise<void> {
  await answer(request.then((got) => ({ ...got, data: null })));
}

// Returns the path parameters of a request for a resource with an id. Requests with a `client_id` are idempotent.
const on = (id: string) => ({ params: { path: { id } } });

let known: Promise<void> | null = null;

/**
 * Makes later requests wait for a request whose response sets the identity cookie. After a failure, the next request
 * asks for the cookie again. A browser with a new identity goes on without the matches of its former identity.
 */
function becomeKnown(request: Promise<unknown>): Promise<void> {
  known = request.then(() => void (signedOut.shown = false));
  known.catch(() => (known = null));
  return known;
}

/**
 * Requests an identity cookie before this browser takes its first seat in a match. A browser without a cookie
 * cannot be recognised when it repeats a request: the server would begin a second match, or find the
 * invitation used.
 */
const beKnown = (): Promise<void> => known ?? becomeKnown(done(client.POST('/api/v1/identity')));

/**
 * Requests an identity cookie before a sign-in, or before a code connects this browser with a player. Such a request
 * does not need the former identity of a browser that was signed out.
 */
const beKnownToJoin = (): Promise<void> =>
  beKnown().catch((thrown: unknown) => {
    if (asProblem(thrown).code !== 'signed-out') throw thrown;
    signedOut.shown = false;
    return beKnown();
  });

export async function createMatch(body: NewMatch): Promise<MatchState> {
  await beKnown();
  return answer(client.POST('/api/v1/matches', { body }));
}

/** Returns the names of the opponent programs that the server offers. */
export const programs = async (): Promise<string[]> =>
  (await answer(client.GET('/api/v1/programs'))).programs;

/** Sends a finished match that was played offline to the server. The id of the match makes the request idempotent. */
export async function handIn(body: OfflineMatch): Promise<MatchState> {
  await beKnown();
  return answer(client.POST('/api/v1/matches/offline', { body }));
}

export const myMatches = async (): Promise<MatchSummary[]> =>
  (await answer(client.GET('/api/v1/matches'))).matches;

/**
 * Reads the state of a match from the server. With `wait`, the server delays its response by at most `wait` seconds
 * until the sequence number exceeds `after`.
 */
export async function readMatch(
  id: string,
  watch: string | null,
  poll?: { after: number | undefined; wait: number; signal: AbortSignal }
): Promise<MatchState> {
  const query = {
    ...(watch && { watch }),
    ...(poll?.after !== undefined && { after: poll.after, wait: poll.wait })
  };
  const init = { params: { path: { id }, query }, ...(poll && { signal: poll.signal }) };
  return answer(client.GET('/api/v1/matches/{id}', init));
}

export const actOn = (
  id: string,
  body: { sequence: number; action: string; client_id: string }
): Promise<MatchState> => answer(client.POST('/api/v1/matches/{id}/actions', { ...on(id), body }));

export const resign = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/resign', { ...on(id), body: { client_id } }));

export const undo = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/undo', { ...on(id), body: { client_id } }));

/**
 * Requests a hint in a match. With `values` false, the server checks and records the hint, and the engine computes
 * the values.
 */
export const hintOnServer = (id: string, client_id: string, values = true): Promise<Hint> => {
  // A server of an earlier version refuses the field `values`.
  const body = { client_id, ...(!values && { values }) };
  return answer(client.POST('/api/v1/matches/{id}/hint', { ...on(id), body }));
};

export const rematch = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/rematch', { ...on(id), body: { client_id } }));

/** Requests or accepts a pause of a match's clocks. During a pause, requests or accepts the end of the pause. */
export const askForPause = (id: string, client_id: string): Promise<MatchState> =>
  answer(client.POST('/api/v1/matches/{id}/pause', { ...on(id), body: { client_id } }));

/** Returns the conditional answers of this browser's player in a correspondence match. */
export const readAnswers = (id: string): Promise<ConditionalAnswers> =>
  answer(client.GET('/api/v1/matches/{id}/answers', on(id)));

/** Replaces the conditional answers of this browser's player in a match. */
export const setAnswers = (id: string, body: ConditionalAnswers): Promise<ConditionalAnswers> =>
  answer(client.PUT('/api/v1/matches/{id}/answers', { ...on(id), body }));

/** Returns the legal actions after a line of actions in a match, as choices for conditional answers. */
export const answerChoices = (id: string, sequence: number, actions: string[]): Promise<AnswerChoices> =>
  answer(client.POST('/api/v1/matches/{id}/answers/choices', { ...on(id), body: { sequence, actions } }));

/** Returns the private note of this browser's player about a match; empty without a note. */
export const readNote = (id: string): Promise<string> =>
  answer(client.GET('/api/v1/matches/{id}/note', on(id))).then(({ text }) => text);

/** Replaces the private note of this browser's player about a match. */
export const setNote = (id: string, text: string): Promise<void> =>
  done(client.PUT('/api/v1/matches/{id}/note', { ...on(id), body: { text } }));

/** Asks the server to review a game of a match. */
export const reviewOnServer = (id: string, game: number, watch: string | null): Promise<Review> =>
  answer(
    client.GET('/api/v1/matches/{id}/review', {
      params: { path: { id }, query: { game, ...(watch && { watch }) } }
    })
  );

/** Returns the game record of a match. The record contains only what this browser's player or a spectator may see. */
export const readRecord = (id: string, watch: string | null): Promise<string> =>
  answer(
    client.GET('/api/v1/matches/{id}/record', {
      params: { path: { id }, query: { ...(watch && { watch }) } },
      parseAs: 'text'
    })
  );

export const invitation = (token: string): Promise<Invitation> =>
  answer(client.GET('/api/v1/invitations/{token}', { params: { path: { token } } }));

export async function join(token: string, name: string): Promise<MatchState> {
  await beKnown();
  const body = name ? { name } : {};
  return answer(client.POST('/api/v1/invitations/{token}', { params: { path: { token } }, body }));
}

/**
 * Reads the open match offers of all players, and the offers of this browser. The request keeps this browser's offers
 * open for about half a minute more.
 */
export const readLobby = (): Promise<Lobby> => answer(client.GET('/api/v1/lobby'));

/**
 * Creates an open match offer. With `join`, the request accepts an equal open offer of another player instead, if there
 * is such an offer.
 */
export async function makeOffer(body: NewOffer): Promise<MadeOffer> {
  await beKnown();
  return answer(client.POST('/api/v1/offers', { body }));
}

/** Withdraws an open match offer. Returns the id of the match if the offer was already accepted, and otherwise null. */
export const withdrawOffer = (id: string): Promise<string | null> =>
  answer(client.DELETE('/api/v1/offers/{id}', on(id))).then(({ match }) => match);

/** Declines another player's challenge to a match. */
export const declineChallenge = async (id: string): Promise<void> => {
  await done(client.POST('/api/v1/offers/{id}/decline', on(id)));
};

export async function acceptOffer(id: string, client_id: string, name: string): Promise<MatchState> {
  await beKnown();
  const body = { client_id, ...(name && { name }) };
  return answer(client.POST('/api/v1/offers/{id}/accept', { ...on(id), body }));
}

/** Analyses a game or position on the server. */
export const analyseOnServer = (body: AnalysisRequest, signal?: AbortSignal): Promise<Analysis> =>
  answer(client.POST('/api/v1/analysis', { body, ...(signal && { signal }) }));

/**
 * Checks that the player may see the values of a game or position. Throws a problem if the player may not see them.
 */
export const checkAnalysis = async (body: AnalysisRequest, signal?: AbortSignal): Promise<void> => {
  await done(client.POST('/api/v1/analysis/check', { body, ...(signal && { signal }) }));
};

export const ruleFacts = (id: string): Promise<RuleFacts> => answer(client.GET('/api/v1/rules/{id}', on(id)));

/** Reads the published rule sets and variations from the server. */
export const ruleSets = (): Promise<RuleSets> => answer(client.GET('/api/v1/rules'));

/** Returns the shared deals of today, yesterday and this week, with the results of this browser's player. */
export const sharedDeals = (): Promise<SharedDeals> => answer(client.GET('/api/v1/shared-deals'));

interface SharedDealName {
  name: string;
  rules: string;
}

/** Returns all players' results of a shared deal, and the decisions of this browser's player in that deal. */
export const sharedDealResult = ({ name, rules }: SharedDealName): Promise<SharedDealResult> =>
  answer(client.GET('/api/v1/shared-deals/{name}/{rules}', { params: { path: { name, rules } } }));

/**
 * Returns the match of this browser's player on a shared deal. The first call begins the match; each player has only
 * one match on a shared deal.
 */
export async function playSharedDeal({ name, rules }: SharedDealName): Promise<MatchState> {
  await beKnown();
  const path = { name, rules };
  return answer(client.POST('/api/v1/shared-deals/{name}/{rules}', { params: { path }, body: {} }));
}

/**
 * Returns the progress of this browser's player, which consists of statistics of the finished matches. The server
 * analyses a few more matches at each request.
 */
export const myProgress = (): Promise<Progress> => answer(client.GET('/api/v1/me/progress'));

/** URL paths from which this browser's player can download the games in their statistics, as CSV or JSON. */
export const gamesAddress = { csv: '/api/v1/me/games.csv', json: '/api/v1/me/games.json' };

/** URL paths from which this browser's player can download all their puzzle attempts, as CSV or JSON. */
export const puzzlesAddress = { csv: '/api/v1/me/puzzles.csv', json: '/api/v1/me/puzzles.json' };

/** Returns the sets of puzzles, with the puzzle rating and the latest attempts of this browser's player. */
export const puzzleOverview = (): Promise<PuzzleOverview> => answer(client.GET('/api/v1/puzzles'));

export interface WantedPuzzle {
  rules: string;
  theme?: PuzzleTheme;
  rating?: number;
  /** Exclusive lower bound on the rating of the wanted puzzle. */
  above?: number;
}

/**
 * Returns a puzzle that this browser's player has not tried. The puzzle's rating is near the wanted rating or,
 * without a wanted rating, near the player's puzzle rating.
 */
export const nextPuzzle = (query: WantedPuzzle): Promise<Puzzle> =>
  answer(client.GET('/api/v1/puzzles/next', { params: { query } }));

export const readPuzzle = (id: string): Promise<Puzzle> => answer(client.GET('/api/v1/puzzles/{id}', on(id)));

/**
 * Submits the player's actions in an attempt at a puzzle, with the streak or storm to which the attempt belongs. Only
 * the player's first attempt at a puzzle counts. The browser completes the request even if the player leaves the
 * page.
 */
export function attemptPuzzle(
  { id }: Pick<Puzzle, 'id'>,
  actions: string[],
  run?: string
): Promise<AttemptResult> {
  const body = { actions, ...(run && { run }) };
  const send = () =>
    answer(client.POST('/api/v1/puzzles/{id}/attempts', { ...on(id), body, keepalive: true }));
  if (known) return known.then(send);
  // The first attempt does not wait for a request for the identity cookie, because a page that is closed
  // meanwhile would not send the attempt. The response to the attempt sets the cookie.
  const sent = send();
  void becomeKnown(sent);
  return sent;
}

/** Reads a lesson from the server, with all positions that can occur in the lesson. */
export const readLesson = (id: string): Promise<Lesson> => answer(client.GET('/api/v1/lessons/{id}', on(id)));

/** Reads the retention periods of the server's data. */
export const privacyFacts = (): Promise<Privacy> => answer(client.GET('/api/v1/privacy'));

/**
 * Deletes a match from the list of this browser's player. The server removes the match, or only the player's seat if
 * a friend keeps the match.
 */
export const deleteMatch = (id: string): Promise<void> => done(client.DELETE('/api/v1/matches/{id}', on(id)));

/** Returns the list of browsers that share the matches of this browser's player. The list includes this browser. */
export const myBrowsers = (): Promise<MyBrowsers> => answer(client.GET('/api/v1/me/browsers'));

/**
 * Returns whether other browsers share the matches of this browser's player, or can do so by a recovery code. Returns
 * null if the server does not answer.
 */
export async function hasOthers(): Promise<boolean | null> {
  try {
    const { browsers, recovery_codes: codes } = await myBrowsers();
    return codes !== null || browsers.some(({ current }) => !current);
  } catch {
    return null;
  }
}

const named = () => {
  const name = kindOf(navigator.userAgent);
  return name ? { name } : {};
};

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
 * succeeds if only the response was lost.
 */
export async function addBrowser(code: string): Promise<MyBrowsers> {
  await beKnownToJoin();
  return answer(client.POST('/api/v1/me/browsers', { body: { code, ...named() } }));
}

/** Returns the account of this browser's player, or null without an account. */
export const myAccount = (): Promise<MyAccount | null> => ownAccount().then(({ account }) => account);

/** Returns the account of this browser's player, and the relying party (host name) of passkeys. */
export async function ownAccount(): Promise<OwnAccount> {
  const own = await answer(client.GET('/api/v1/me/account'));
  noteAccount(own.account !== null);
  return own;
}

/**
 * Waits for a request, such as a sign-in, that connects this browser with an account. Then stores in the browser that
 * it has an account.
 */
async function withAccount<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const data = await answer(request);
  noteAccount(true);
  signedOut.shown = false;
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
  await done(client.DELETE('/api/v1/me/account/passkeys/{id}', on(id)));
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
  await done(client.DELETE('/api/v1/me/account/tokens/{id}', on(id)));
}

/** Signs this browser in with a passkey that the player chooses. */
export async function signInWithPasskey(): Promise<MyBrowsers> {
  await beKnownToJoin();
  const { challenge, options } = await answer(client.POST('/api/v1/me/sign-in/challenge'));
  const passkey = { challenge, credential: await usePasskey(options) };
  return withAccount(client.POST('/api/v1/me/sign-in/passkey', { body: { passkey, ...named() } }));
}

/** Signs this browser in to an account by handle and password. */
export async function signIn(handle: string, password: string): Promise<MyBrowsers> {
  await beKnownToJoin();
  return withAccount(client.POST('/api/v1/me/sign-in', { body: { handle, password, ...named() } }));
}

/** Replaces the password of the player's account. */
export const setPassword = (former: string | null, password: string): Promise<void> =>
  done(client.PUT('/api/v1/me/account/password', { body: { former, password } }));

/** Changes the handle of the player's account. */
export const setHandle = (handle: string): Promise<MyAccount> =>
  answer(client.PUT('/api/v1/me/account/handle', { body: { handle } }));

/** Returns the e-mail address of the player's account. */
export const ownMail = (): Promise<Mail> => answer(client.GET('/api/v1/me/mail'));

/**
 * Sets the e-mail address of the player's account, and whether the password can be replaced by e-mail. A new address
 * must be confirmed by a link.
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

/** Switches off e-mails about turns, with the token in the link of an e-mail. */
export const stopTurnMails = (token: string): Promise<void> =>
  done(client.POST('/api/v1/me/mail/unsubscription', { body: { token } }));

/** Confirms an e-mail address, with the token in the link of an e-mail. */
export const confirmMail = (token: string): Promise<void> =>
  done(client.POST('/api/v1/me/mail/confirmation', { body: { token } }));

/**
 * Requests an e-mail with a link for setting a new password. A handle or an e-mail address identifies the account.
 */
export const requestRecovery = (account: string): Promise<void> =>
  done(client.POST('/api/v1/me/recovery', { body: { account } }));

/** Sets a new password, with the token in the link of an e-mail. Returns the handle of the account. */
export const recover = (token: string, password: string): Promise<string> =>
  answer(client.PUT('/api/v1/me/recovery', { body: { token, password } })).then(({ handle }) => handle);

/** Returns the days off of this browser's player: the current absence, and the number of days left. */
export const daysOff = (): Promise<DaysOff> => answer(client.GET('/api/v1/me/days-off'));

/** Begins or ends days off for this browser's player. */
export async function setDaysOff(away: boolean): Promise<DaysOff> {
  await beKnown();
  return answer(client.PUT('/api/v1/me/days-off', { body: { away } }));
}

/**
 * Returns the secret URL path of the player's turn feed (list of the matches in which it is their turn); null without
 * a turn feed.
 */
export const turnFeed = (): Promise<string | null> =>
  answer(client.GET('/api/v1/me/feed')).then(({ path }) => path);

/**
 * Creates a new secret URL path for the player's turn feed (list of the matches in which it is their turn). The new
 * path replaces a former path.
 */
export async function makeTurnFeed(): Promise<string | null> {
  await beKnown();
  return answer(client.POST('/api/v1/me/feed')).then(({ path }) => path);
}

/** Revokes the secret URL path of the player's turn feed (list of the matches in which it is their turn). */
export const revokeTurnFeed = (): Promise<null> => done(client.DELETE('/api/v1/me/feed')).then(() => null);

/** Returns whether this browser receives push messages, and the server's public key for push messages. */
export const pushState = (): Promise<Push> => answer(client.GET('/api/v1/me/push'));

/** Subscribes this browser to push messages. */
export async function startPush(subscription: SetPush): Promise<void> {
  await beKnown();
  await done(client.PUT('/api/v1/me/push', { body: subscription }));
}

/** Unsubscribes this browser from push messages. */
export const endPush = (): Promise<void> => done(client.DELETE('/api/v1/me/push'));

/** Sets whether the profile of the player's account is hidden. */
export const setProfile = (hidden: boolean): Promise<MyAccount> =>
  answer(client.PUT('/api/v1/me/account/profile', { body: { private: hidden } }));

/** Returns the public profile of the player with a given handle. */
export const profileOf = (handle: string): Promise<Profile> =>
  answer(client.GET('/api/v1/players/{handle}', { params: { path: { handle } } }));

/** Returns the favourites of the player's account. */
export const myFavourites = (): Promise<Favourite[]> =>
  answer(client.GET('/api/v1/me/favourites')).then(({ favourites }) => favourites);

/** Adds a player to the favourites of the account, or removes a player from the favourites. */
export const setFavourite = (handle: string, added: boolean): Promise<void> =>
  done(
    added
      ? client.PUT('/api/v1/me/favourites/{handle}', { params: { path: { handle } } })
      : client.DELETE('/api/v1/me/favourites/{handle}', { params: { path: { handle } } })
  );

/** Returns the relation of this browser's player to the opponent of a match: favourite, mute and block. */
export const opponentRelation = (id: string): Promise<OpponentRelation> =>
  answer(client.GET('/api/v1/matches/{id}/favourite', on(id)));

/** Adds the opponent of a match to the favourites of the account. */
export const addOpponent = (id: string): Promise<void> =>
  done(client.PUT('/api/v1/matches/{id}/favourite', on(id)));

/** Returns the people whom the player has muted or blocked. */
export const myIgnored = (): Promise<IgnoredPerson[]> =>
  answer(client.GET('/api/v1/me/ignored')).then(({ ignored }) => ignored);

/** Ends a mute or block. The id is that of an entry in the list of muted and blocked people. */
export const heed = (id: string): Promise<void> => done(client.DELETE('/api/v1/me/ignored/{id}', on(id)));

/** Begins or ends a mute or block of the player with a given handle. */
export async function ignorePlayer(handle: string, kind: IgnoreKind, ignored: boolean): Promise<void> {
  const path = { params: { path: { kind, handle } } };
  if (!ignored) return done(client.DELETE('/api/v1/me/ignored/{kind}/{handle}', path));
  await beKnown();
  return done(client.PUT('/api/v1/me/ignored/{kind}/{handle}', path));
}

/** Begins or ends a mute or block of the opponent in a match. */
export function ignoreOpponent(id: string, kind: IgnoreKind, ignored: boolean): Promise<void> {
  const path = { params: { path: { id, kind } } };
  return done(
    ignored
      ? client.PUT('/api/v1/matches/{id}/ignored/{kind}', path)
      : client.DELETE('/api/v1/matches/{id}/ignored/{kind}', path)
  );
}

/** Reports the opponent of a match to the operators. */
export const reportOpponent = (id: string, report: NewReport): Promise<void> =>
  done(client.POST('/api/v1/matches/{id}/report', { ...on(id), body: report }));

/** Returns the moderation measures of the operators against the player. */
export const myMeasures = (): Promise<MyMeasures> => answer(client.GET('/api/v1/me/measures'));

/** Confirms that the player has read the operators' warning. `at` is the time of the warning. */
export const confirmWarning = (at: number): Promise<void> =>
  done(client.POST('/api/v1/me/measures/confirm', { body: { at } }));

/** Returns the chat messages of both players of a match. */
export const readTalk = (id: string): Promise<Talk> =>
  answer(client.GET('/api/v1/matches/{id}/talk', on(id)));

/** Sends a chat message to the opponent. Returns all messages of the match with a number above `after`. */
export const sendTalk = (id: string, text: string, client_id: string, after: number): Promise<Talk> =>
  answer(client.POST('/api/v1/matches/{id}/talk', { ...on(id), body: { text, client_id, after } }));

/** Returns one page of the list of public matches, which everybody may watch or replay. */
export const publicMatches = (query: {
  rules?: string;
  state: 'running' | 'finished';
  after?: string;
}): Promise<PublicMatches> => answer(client.GET('/api/v1/public/matches', { params: { query } }));

/**
 * Returns the number of people who have the site open. Also returns the favourites who show their presence to the
 * player.
 */
export const peopleHere = (): Promise<PeopleHere> => answer(client.GET('/api/v1/public/people'));

/**
 * Returns the player's visibility settings: the permission to watch their matches, and the visibility of their
 * presence.
 */
export const myVisibility = (): Promise<MyVisibility> => answer(client.GET('/api/v1/me/visibility'));

/**
 * Changes the player's visibility settings: the permission to watch their matches, and the visibility of their
 * presence.
 */
export async function setVisibility(body: SetVisibility): Promise<MyVisibility> {
  await beKnown();
  return answer(client.PUT('/api/v1/me/visibility', { body }));
}

export const listEvents = (): Promise<EventList> => answer(client.GET('/api/v1/events'));

export const makeEvent = (body: NewEvent): Promise<SeenEvent> =>
  answer(client.POST('/api/v1/events', { body }));

/**
 * Reads the state of a tournament event. With a given version, the server delays its response until the event has
 * another version.
 */
export const readEvent = (id: string, after?: number, signal?: AbortSignal): Promise<SeenEvent> => {
  const query = after === undefined ? {} : { after, wait: 20 };
  const init = { params: { path: { id }, query }, ...(signal && { signal }) };
  return answer(client.GET('/api/v1/events/{id}', init));
};

/** Joins, leaves or immediately begins a tournament event. */
export const changeEvent = (id: string, what: 'join' | 'leave' | 'start'): Promise<SeenEvent> =>
  answer(client.POST(`/api/v1/events/{id}/${what}`, on(id)));

/** Cancels a tournament event before its start. */
export const removeEvent = (id: string): Promise<void> => done(client.DELETE('/api/v1/events/{id}', on(id)));

/** Returns the leaderboard of a rule set and pace: the players with the highest ratings. */
export const leaderboard = (query: { rules?: string; pace?: Pace }): Promise<Leaderboard> =>
  answer(client.GET('/api/v1/players', { params: { query } }));

/** Returns the ratings of the players of a rated match. */
export const matchRatings = (id: string, watch: string | null): Promise<MatchRatings> =>
  answer(
    client.GET('/api/v1/matches/{id}/ratings', {
      params: { path: { id }, query: { ...(watch && { watch }) } }
    })
  );

/** Signs out one of the browsers of this browser's player. */
export async function signOut({ id, current }: MyBrowser): Promise<void> {
  await done(client.DELETE('/api/v1/me/browsers/{id}', on(id)));
  known = null;
  if (current) noteAccount(false);
}

/** URL path of the export of all data that the server stores about this browser. */
export const exportAddress = '/api/v1/me/export';

/** Erases all data that the server stores about this browser. */
export async function erase(): Promise<void> {
  await done(client.DELETE('/api/v1/me'));
  known = null;
  noteAccount(false);
}

/** Returns the URL path at which the record of a match can be downloaded. */
export const recordAddress = (id: string, watch: string | null): string =>
  `/api/v1/matches/${id}/record${watch ? `?watch=${encodeURIComponent(watch)}` : ''}`;
