// Measures the loading time of the start page, which the project's documents state. No test depends on the
// time.
import { expect, test } from './support/test';
import { Table } from './support/table';

test.use({ installs: true });

const VISITS = 5;

test('measures the time from requesting the start page to a usable button', async ({ somebody }) => {
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const context = await somebody();
    const page = await context.newPage();
    await page.addInitScript(() => {
      // The button works as soon as the script has created the button, so that its appearance ends the measurement.
      const seen = new MutationObserver(() => {
        if (!document.querySelector('[data-testid="play"]:enabled')) return;
        seen.disconnect();
        performance.mark('usable');
      });
      seen.observe(document, { childList: true, subtree: true });
    });
    await page.goto('/');
    await expect(page.getByTestId('play')).toBeEnabled();
    times.push(await page.evaluate(() => performance.getEntriesByName('usable')[0]?.startTime ?? NaN));
    await page.getByTestId('play').click();
    await Table.arrived(page);
    await context.close();
  }
  times.sort((a, b) => a - b);
  const told = times.map((time) => `${Math.round(time)} ms`).join(', ');
  console.log(`start page, from asking for it to the first press, ${VISITS} newcomers: ${told}`);
  expect(times.every((time) => time > 0)).toBe(true);
});
