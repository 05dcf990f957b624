// The browser tests: the real binary and the system's Chromium. `cargo xtask test --only browser` builds what they need.
import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Path of the system's Chromium; nothing is downloaded. */
const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file));

export default defineConfig({
  testDir: '.',
  outputDir: '../../target/browser',
  // Every worker has a server and a database of its own, so that tests run in parallel.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // Continuous integration runs on busy machines: a test that passes on its second run is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  // No test waits for these durations: they only end tests that hang, on the slowest machines.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: chromium }
  },
  projects: [
    { name: 'tests', testMatch: '**/*.spec.ts' },
    { name: 'screenshots', testMatch: ['**/pages.shots.ts', '**/icons.shots.ts'] },
    { name: 'sheet', testMatch: '**/sheet.shots.ts' },
    { name: 'load', testMatch: '**/*.load.ts' }
  ]
});
