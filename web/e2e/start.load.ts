// Measures how long the start page takes to load. The project's documents state the measured time. No test depends on
// the time.
import type { Page } from '@playwright/test';
import { expect, test } from './support/test';
import { Table } from './support/table';

test.use({ installs: true });

const VISITS = 5;

/**
 * Settings of Lighthouse's mobile profile: the slow 4G network, and a processor slowed to a quarter of the machine's
 * speed.
 */
const PHONE = {
  window: { width: 390, height: 844 },
  network: {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6 * 1024 * 1024) / 8,
    uploadThroughput: (750 * 1024) / 8
  },
  slower: 4
};

/** Throttles the network and the processor of a page to the speeds of a phone. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', PHONE.network);
  await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE.slower });
}

for (const [device, isPhone] of [
  ['this machine', false],
  ['slow 4G and a slow phone', true]
] as const) {
  test(`measures the time from requesting the start page to a usable button, on ${device}`, async ({
    somebody
  }) => {
    const times: number[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) {
      const context = await somebody(isPhone ? { viewport: PHONE.window } : {});
      const page = await context.newPage();
      await page.addInitScript(() => {
        // The measurement ends when the play button appears, because the button works as soon as the page's script has
        // created it.
        const seen = new MutationObserver(() => {
          if (!document.querySelector('[data-testid="play"]:enabled')) return;
          seen.disconnect();
          performance.mark('usable');
        });
        seen.observe(document, { childList: true, subtree: true });
      });
      if (isPhone) await slowDown(page);
      await page.goto('/');
      await expect(page.getByTestId('play')).toBeEnabled();
      times.push(await page.evaluate(() => performance.getEntriesByName('usable')[0]?.startTime ?? NaN));
      await page.getByTestId('play').click();
      await Table.arrived(page);
      await context.close();
    }
    times.sort((a, b) => a - b);
    const told = times.map((time) => `${Math.round(time)} ms`).join(', ');
    console.log(
      `start page on ${device}, from asking for it to the first press, ${VISITS} newcomers: ${told}`
    );
    expect(times.every((time) => time > 0)).toBe(true);
  });
}
