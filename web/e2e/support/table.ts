// Plays matches at the game table of the page with the pointer, as a player does.
import { expect, type Locator, type Page } from '@playwright/test';
import { stateOf, type LegalAction, type MatchState } from './api';

/** Opens the form for a new match on the start page. */
export async function openForm(page: Page, origin = ''): Promise<Locator> {
  await page.goto(`${origin}/`);
  await page.getByTestId('more').locator('> summary').click();
  const form = page.getByTestId('new-table');
  await expect(form).toBeVisible();
  return form;
}

/**
 * State of a game table while the page waits for neither the server nor the opponent. The value is `act` if the player
 * has to choose an action, `next` if they can go to the next game, and `over` at the end of the match.
 */
export type Turn = 'act' | 'next' | 'over';

export class Table {
  readonly log: Locator;
  readonly dock: Locator;
  readonly link: Locator;

  constructor(
    readonly page: Page,
    readonly id: string
  ) {
    this.log = page.getByTestId('log').locator('> *');
    this.dock = page.getByTestId('dock');
    this.link = page.getByTestId('link');
  }

  /** Waits until a page shows the table of a match, and returns the table. */
  static async arrived(page: Page): Promise<Table> {
    await page.waitForURL(/\/match\/[^/]+$/);
    const table = new Table(page, new URL(page.url()).pathname.split('/')[2] ?? '');
    await table.ready();
    return table;
  }

  static async open(page: Page, id: string): Promise<Table> {
    await page.goto(`/match/${id}`);
    const table = new Table(page, id);
    await table.ready();
    return table;
  }

  async ready(): Promise<void> {
    await expect(this.link).toHaveAttribute('data-link', 'live');
  }

  card(card: string): Locator {
    return this.page.locator(`button[data-testid="card-${card}"]`);
  }

  choice(action: string): Locator {
    return this.dock.locator(`[data-action="${action}"]`);
  }

  hand(seat: 'first' | 'second'): Locator {
    return this.page.getByTestId('board').locator(`[data-seat="${seat}"]`);
  }

  /** Opens the move list of the game table, and returns the page element of the move list. */
  async moves(): Promise<Locator> {
    await this.page.getByTestId('open-moves').click();
    return this.page.getByTestId('moves');
  }

  /**
   * Waits until the player has to act, can go to the next game, or sees the match result. Returns which of the three is
   * the case.
   */
  async turn(): Promise<Turn> {
    const found = await this.page.waitForFunction((): Turn | null => {
      const there = (selector: string) => document.querySelector(selector) !== null;
      if (there('[data-testid="result"]')) return 'over';
      if (there('[data-testid="next-game"]')) return 'next';
      return there('button[data-card]') ? 'act' : null;
    });
    return (await found.jsonValue()) as Turn;
  }

  /** Returns the match state as the server shows the match to the browser's player. */
  state(): Promise<MatchState> {
    return stateOf(this.page.context(), this.id);
  }

  /** Shows the hint for the player's turn, and returns the hint's sentence and the values on the cards. */
  async hint(): Promise<string[]> {
    const button = this.page.getByTestId('hint');
    await button.click();
    await expect(button).toHaveText('Hide hint');
    const values = await this.page.locator('button[data-card] .tab').allTextContents();
    return [await this.page.getByTestId('status').innerText(), ...values];
  }

  /** Returns the cards that the page of the match marks as playable. */
  async marked(): Promise<string[]> {
    const cards = this.page.locator('button[data-card][aria-disabled="false"]');
    return cards.evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset.card ?? ''));
  }

  /** Plays a legal action with the pointer, and waits until the move list shows the action. */
  async act(action: LegalAction): Promise<void> {
    const before = await this.log.count();
    await this.begin(action);
    await expect.poll(() => this.log.count()).toBeGreaterThan(before);
  }

  /** Plays a legal action with the pointer, without waiting for the result. */
  async begin(action: LegalAction): Promise<void> {
    // The click hits the upper left corner of the card, which no other card covers.
    if (action.card)
      await this.card(action.card)
        .first()
        .click({ position: { x: 9, y: 9 } });
    await this.choice(action.action).click();
  }

  /**
   * Waits for the player's turn, and plays the action that `pick` chooses. After the end of a game, opens the next
   * game instead. Returns the kind of the turn.
   */
  async play(pick: (legal: LegalAction[], state: MatchState) => LegalAction | undefined): Promise<Turn> {
    const turn = await this.turn();
    if (turn === 'next') await this.page.getByTestId('next-game').click();
    if (turn !== 'act') return turn;
    const state = await this.state();
    const { legal } = state.current;
    const cards = new Set(legal.flatMap(({ card }) => card ?? []));
    expect(new Set(await this.marked()), 'the page marks what is legal').toEqual(cards);
    const action = pick(legal, state);
    expect(action, `something of ${legal.map(({ action }) => action).join(' ')}`).toBeTruthy();
    if (action) await this.act(action);
    return turn;
  }

  /** Plays the first legal action in each turn until the match is over. */
  async playOut(): Promise<void> {
    while ((await this.play(([first]) => first)) !== 'over');
  }
}
