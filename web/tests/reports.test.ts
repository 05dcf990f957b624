// Tests which reports of puzzle attempts outlast the page, and when they are sent.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Api from '$lib/api/api';
import type * as Reports from '$lib/puzzles/reports';

/** Paths and bodies of the requests of the page, in order. */
let sent: string[] = [];
/** Returns the simulated server's response to a request for a path. */
let respond: (path: string) => Response;

const PROBLEM = 'application/problem+json';
const refusal = (status: number, code: string) =>
  Response.json({ status, code, detail: '' }, { status, headers: { 'content-type': PROBLEM } });
const lost = () => {
  throw new TypeError('network');
};

/** Loads the modules of the page anew, as a reload of the page does. */
async function load(): Promise<typeof Reports & typeof Api> {
  vi.resetModules();
  return { ...(await import('$lib/puzzles/reports')), ...(await import('$lib/api/api')) };
}

/** Returns a lock manager of a browser (Web Locks API), which all tabs share. */
function lockManager() {
  const held = new Map<string, Promise<unknown>>();
  type Holder = (lock?: null) => unknown;
  type Options = { signal?: AbortSignal; ifAvailable?: boolean };
  return {
    async request(name: string, ...given: [Holder] | [Options, Holder]) {
      const holder = given.length === 1 ? given[0] : given[1];
      const { signal, ifAvailable }: Options = given.length === 1 ? {} : given[0];
      signal?.throwIfAborted();
      if (ifAvailable && held.has(name)) return holder(null);
      let isGranted = false;
      const running = Promise.resolve(held.get(name)).then(() => {
        signal?.throwIfAborted();
        isGranted = true;
        return holder();
      });
      const end = () => held.get(name) === ended && held.delete(name);
      const ended: Promise<unknown> = running.then(end, end);
      held.set(name, ended);
      const aborted = new Promise((_, reject) =>
        signal?.addEventListener('abort', () => !isGranted && reject(signal.reason as Error))
      );
      return Promise.race([running, aborted]);
    }
  };
}

beforeEach(() => {
  sent = [];
  respond = lost;
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/api/v1/', '');
    if (path.startsWith('puzzles')) sent.push(`${path} ${(await request.json()).actions}`);
    return respond(path);
  });
});

afterEach(() => vi.unstubAllGlobals());

describe('a report without a response', () => {
  it('is sent once after a reload of the page', async () => {
    const before = await load();
    await expect(before.reportAttempt({ id: 'first' }, ['Ac'])).rejects.toThrow();
    await expect(before.reportAttempt({ id: 'second' }, ['Kd'])).rejects.toThrow();
    const after = await load();
    sent = [];
    respond = () => Response.json({});
    expect(await after.repeatFailedReports()).toBe(true);
    expect(sent).toEqual(['puzzles/first/attempts Ac', 'puzzles/second/attempts Kd']);
    expect(await after.repeatFailedReports()).toBe(false);
    expect(await (await load()).repeatFailedReports()).toBe(false);
    expect(sent).toHaveLength(2);
  });

  it('is sent in place of a later attempt, and not while its request runs', async () => {
    await expect((await load()).reportAttempt({ id: 'first' }, ['Ac'])).rejects.toThrow();
    const { reportAttempt, repeatFailedReports } = await load();
    respond = () => Response.json({});
    const later = reportAttempt({ id: 'first' }, ['Kd']);
    expect(await repeatFailedReports()).toBe(false);
    await later;
    expect(sent).toEqual(Array(2).fill('puzzles/first/attempts Ac'));
  });

  it('is not repeated after a refusal, and the newest are kept', async () => {
    const { reportAttempt, repeatFailedReports } = await load();
    for (let index = 0; index < 40; index += 1)
      await expect(reportAttempt({ id: `${index}` }, ['Ac'])).rejects.toThrow();
    sent = [];
    respond = () => refusal(404, 'not-found');
    await repeatFailedReports();
    expect(sent).toHaveLength(30);
    expect(sent.at(-1)).toBe('puzzles/39/attempts Ac');
    expect(await repeatFailedReports()).toBe(false);
  });
});

describe('a report that one tab is sending', () => {
  const path = '/api/v1/puzzles/first/attempts Ac';
  let end: (response: Response) => void;
  type Tab = Awaited<ReturnType<typeof load>>;
  let tab: Tab;
  let other: Tab;

  beforeEach(async () => {
    vi.stubGlobal('navigator', { userAgent: '', locks: lockManager() });
    [tab, other] = [await load(), await load()];
    vi.stubGlobal('fetch', async (request: Request) => {
      sent.push(`${new URL(request.url).pathname} ${(await request.json()).actions}`);
      return new Promise((resolve) => (end = resolve));
    });
  });
  afterEach(() => vi.restoreAllMocks());

  /** Starts a call in a tab. Returns a function that returns the result, or null while the call still waits. */
  function started(call: Promise<boolean>) {
    let result: boolean | null = null;
    void call.then((value) => (result = value));
    return () => result;
  }

  it('is awaited by another tab, which repeats it after a failure', async () => {
    const attempt = tab.reportAttempt({ id: 'first' }, ['Ac']);
    await vi.waitFor(() => expect(sent).toEqual([path]));
    const others = started(other.repeatFailedReports());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([others(), sent.length]).toEqual([null, 1]);
    end(refusal(503, 'busy'));
    await expect(attempt).rejects.toThrow();
    await vi.waitFor(() => expect(sent).toEqual([path, path]));
    const own = started(tab.repeatFailedReports());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([others(), own(), sent.length]).toEqual([null, null, 2]);
    // The second tab has sent the report, so that the first tab sends nothing more.
    end(Response.json({}));
    await vi.waitFor(() => expect([others(), own()]).toEqual([true, true]));
    expect(await tab.repeatFailedReports()).toBe(false);
    expect(sent).toHaveLength(2);
  });

  it('is awaited for some seconds only', async () => {
    const attempt = tab.reportAttempt({ id: 'first' }, ['Ac']);
    await vi.waitFor(() => expect(sent).toEqual([path]));
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const others = started(other.repeatFailedReports());
    await vi.waitFor(() => expect(timeout).toHaveBeenCalledExactlyOnceWith(4_000));
    limit.abort(new DOMException('late', 'TimeoutError'));
    await vi.waitFor(() => expect(others()).toBe(true));
    expect(sent).toHaveLength(1);
    end(Response.json({}));
    await attempt;
  });

  it('holds back no other report after these seconds', async () => {
    const first = tab.reportAttempt({ id: 'first' }, ['Ac']);
    await vi.waitFor(() => expect(sent).toEqual([path]));
    const endFirst = end;
    const second = other.reportAttempt({ id: 'second' }, ['Kd']);
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    end(refusal(503, 'busy'));
    await expect(second).rejects.toThrow();
    const third = tab.reportAttempt({ id: 'third' }, ['Qh']);
    const limit = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const others = started(other.repeatFailedReports());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([others(), sent.length]).toEqual([null, 2]);
    limit.abort(new DOMException('late', 'TimeoutError'));
    await vi.waitFor(() => expect(sent.slice(2)).toEqual(['/api/v1/puzzles/second/attempts Kd']));
    end(Response.json({}));
    await vi.waitFor(() => expect(others()).toBe(true));
    endFirst(Response.json({}));
    await vi.waitFor(() => expect(sent.slice(3)).toEqual(['/api/v1/puzzles/third/attempts Qh']));
    end(Response.json({}));
    await Promise.all([first, third]);
  });

  it('is repeated by its own tab as soon as the request has failed', async () => {
    // A storm (timed series of puzzles) goes on in the first reaction to the failure.
    const repeated = tab.reportAttempt({ id: 'first' }, ['Ac']).then(
      () => false,
      () => tab.repeatFailedReports()
    );
    await vi.waitFor(() => expect(sent).toEqual([path]));
    end(refusal(503, 'busy'));
    await vi.waitFor(() => expect(sent).toEqual([path, path]));
    end(Response.json({}));
    expect(await repeated).toBe(true);
  });
});

describe('the reports of one person', () => {
  const own = { id: 'own', current: true } as Parameters<typeof Api.signOut>[0];
  const SIGN_INS: [string, (page: typeof Api) => Promise<unknown>][] = [
    ['a sign-in', ({ signIn }) => signIn('anna', 'correct horse')],
    ['a code', ({ addBrowser }) => addBrowser('code')]
  ];

  it.each(SIGN_INS)('are sent after %s, which takes the attempts of the browser along', async (_, change) => {
    await expect((await load()).reportAttempt({ id: 'first' }, ['Ac'])).rejects.toThrow();
    const page = await load();
    sent = [];
    respond = () => Response.json({});
    await change(page);
    expect(await page.repeatFailedReports()).toBe(true);
    expect(sent).toEqual(['puzzles/first/attempts Ac']);
  });

  it.each(SIGN_INS)('are not sent after %s of a browser that was signed out unnoticed', async (_, change) => {
    const page = await load();
    respond = (path) => (path === 'identity' ? Response.json({}) : lost());
    await (await import('$lib/api/request')).beKnown();
    await expect(page.reportAttempt({ id: 'first' }, ['Ac'])).rejects.toThrow();
    let isSignedOut = true;
    respond = (path) => {
      if (path !== 'identity' || !isSignedOut) return Response.json({});
      isSignedOut = false;
      return refusal(401, 'signed-out');
    };
    await change(page);
    expect(await page.repeatFailedReports()).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it('are not sent for another person after a sign-out', async () => {
    await expect((await load()).reportAttempt({ id: 'first' }, ['Ac'])).rejects.toThrow();
    const page = await load();
    respond = () => Response.json({});
    await page.signOut(own);
    expect(await page.repeatFailedReports()).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it('are not sent after a sign-out by another browser', async () => {
    const { reportAttempt, repeatFailedReports } = await load();
    await expect(reportAttempt({ id: 'first' }, ['Ac'])).rejects.toThrow();
    await expect(reportAttempt({ id: 'second' }, ['Ac'])).rejects.toThrow();
    sent = [];
    respond = () => refusal(401, 'signed-out');
    expect(await repeatFailedReports()).toBe(true);
    expect(sent).toEqual(['puzzles/first/attempts Ac']);
    expect(await repeatFailedReports()).toBe(false);
  });
});
