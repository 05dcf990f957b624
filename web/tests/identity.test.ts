// Tests which request for the identity cookie of the browser counts.
import { afterEach, expect, it, vi } from 'vitest';
import { beKnown, forgetIdentity, sendAtOnce } from '$lib/api/request';

afterEach(() => vi.unstubAllGlobals());

it('The failure of an older request leaves the identity that a newer request has got', async () => {
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return new Response(null, { status: 204 });
  });
  let fail: (thrown: Error) => void = () => undefined;
  const older = sendAtOnce(() => new Promise((_, reject) => (fail = reject)));
  forgetIdentity();
  await beKnown();
  fail(new TypeError('network'));
  await expect(older).rejects.toThrow('network');
  await beKnown();
  expect(paths).toEqual(['/api/v1/identity']);
});
