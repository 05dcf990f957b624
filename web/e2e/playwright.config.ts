// Configures the browser tests with the real binary and the system's Chromium. `cargo xtask test --only browser` builds
// the binary and installs the packages.
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { chromium, wholeBrowser } from './support/chromium';

export default defineConfig({
  testDir: '.',
  outputDir: '../../target/browser',
  // Tests run in parallel. Every worker has its own server and database. There is one worker more than
  // processors, because tests also wait for clocks and restarted servers.
  fullyParallel: true,
  workers: availableParallelism() + 1,
  forbidOnly: true,
  // In continuous integration a failed test runs once more, because machines are busy. A test that then passes is
  // reported as flaky.
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  // The time limits of tests and expectations are so long that they end only tests that hang, even on the slowest
  // machines.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // Recording traces of all tests takes a fifth of the tests' processor time.
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: chromium
  },
  projects: [
    { name: 'tests', testMatch: '**/*.spec.ts' },
    { name: 'screenshots', testMatch: ['**/pages.shots.ts', '**/icons.shots.ts'] },
    { name: 'pictures', testMatch: '**/sheet.shots.ts', use: { trace: 'off' } },
    { name: 'sheet', testMatch: '**/sheet.join.ts', use: { trace: 'off' }, dependencies: ['pictures'] },
    { name: 'engines', testMatch: '**/*.engines.ts', use: { trace: 'off' } },
    { name: 'load', testMatch: '**/*.load.ts', use: { launchOptions: wholeBrowser } }
  ]
});
