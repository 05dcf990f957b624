// Plays a whole match in Firefox and in WebKit, and measures the layout at each turn.
import type { MatchState } from './support/api';
import { layoutFaults } from './support/layout';
import { expect, test } from './support/test';
import { Driver, type Engine } from './support/webdriver';

/**
 * WebDriver settings of the tested non-Chromium browsers, by browser name. `cargo xtask test --only engines` installs
 * the browsers with their drivers.
 */
const ENGINES: Record<string, Engine> = {
  Firefox: {
    program: process.env.OVERMATE_GECKODRIVER ?? 'geckodriver',
    capabilities: { 'moz:firefoxOptions': { args: ['-headless'] } }
  },
  // WebKitWebDriver finds the browser MiniBrowser in its own package.
  WebKit: { program: 'WebKitWebDriver', capabilities: { browserName: 'MiniBrowser' } }
};

/** Minimum width of a card in CSS pixels. The content area of the test's window is about 1280 × 720. */
const CARD = 100;

/**
 * Returns the state of the shown game table, or null while the player has to wait. The state is `act` if the player has
 * to choose an action, `next` if they can go to the next game, and `over` at the end of the match.
 */
function turn(): 'act' | 'next' | 'over' | null {
  const there = (selector: string) => document.querySelector(selector) !== null;
  if (there('[data-testid="result"]')) return 'over';
  if (there('[data-testid="next-game"]')) return 'next';
  return there('button[data-card][aria-disabled="false"]') ? 'act' : null;
}

/** Returns the server's state of the shown match, and the cards that the page marks as legal. */
async function table(): Promise<{ state: MatchState; marked: string[] }> {
  const id = location.pathname.split('/')[2];
  const response = await fetch(`/api/v1/matches/${id}`);
  const cards = document.querySelectorAll<HTMLElement>('button[data-card][aria-disabled="false"]');
  return {
    state: (await response.json()) as MatchState,
    marked: [...cards].map((card) => card.dataset.card ?? '')
  };
}

/** Returns the number of lines in the move list of the shown match. */
const lines = () => document.querySelectorAll('[data-testid="log"] > *').length;

for (const [name, engine] of Object.entries(ENGINES)) {
  test(`${name} plays a whole match against level 1`, async ({ server }) => {
    const driver = await Driver.start(engine);
    try {
      await driver.resize(1280, 850);
      await driver.open(`${server.url}/privacy`);
      await driver.run(() =>
        localStorage.setItem('overmate.settings', JSON.stringify({ speed: 'none', coach: false, level: 1 }))
      );
      await driver.open(server.url);
      await expect
        .poll(() => driver.run(() => document.querySelector('[data-testid="play"]:enabled') !== null))
        .toBe(true);
      await driver.run(() => {
        const errors: string[] = [];
        addEventListener('error', ({ message }) => errors.push(message));
        addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
        Object.assign(window, { errors });
      });
      await driver.click('[data-testid="play"]');

      let acts = 0;
      const played = new Set<number>();
      for (;;) {
        await expect.poll(() => driver.run(turn), 'the player can do something').not.toBeNull();
        const found = await driver.run(turn);
        if (found === 'over') break;
        if (found === 'next') {
          await driver.click('[data-testid="next-game"]');
          await expect.poll(() => driver.run(turn), 'the next game is shown').not.toBe('next');
          continue;
        }
        const { state, marked } = await driver.run(table);
        const { legal, index } = state.current;
        expect(new Set(marked), 'the page marks the legal cards').toEqual(
          new Set(legal.map(({ card }) => card))
        );
        await expect.poll(() => driver.run(layoutFaults, { table: true, high: 40, card: CARD })).toEqual([]);
        const [action] = legal;
        const before = await driver.run(lines);
        await driver.click(`button[data-testid="card-${action?.card}"]`);
        await driver.click(`[data-testid="dock"] [data-action="${action?.action}"]`);
        await expect.poll(() => driver.run(lines), 'the log has another line').toBeGreaterThan(before);
        acts += 1;
        played.add(index);
      }
      const { state } = await driver.run(table);
      expect(state.result, 'the match has a result').not.toBeNull();
      expect([...played], 'the player acted in each game').toHaveLength(4);
      expect(await driver.run(() => (window as unknown as { errors: string[] }).errors)).toEqual([]);
      console.log(`${name}: ${acts} actions`);
    } finally {
      await driver.end();
    }
  });
}
