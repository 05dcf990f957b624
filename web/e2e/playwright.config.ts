// The browser tests: the real binary and the system's Chromium. `cargo xtask test --only browser` builds what they need.
import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The system's own browser: nothing is downloaded. */
const chromium = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file));

export default defineConfig({
  testDir: '.',
  outputDir: '../../target/browser',
  // Every worker has a server of its own, with a database of its own.
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  // Nothing here waits by the clock; these only end what hangs, on the slowest of machines.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    trace: 'retain-on-failure',
    launchOptions: { executablePath: chromium }
  },
  projects: [
    { name: 'tests', testMatch: '**/*.spec.ts' },
    { name: 'screenshots', testMatch: '**/*.shots.ts' },
    { name: 'load', testMatch: '**/*.load.ts' }
  ]
});
