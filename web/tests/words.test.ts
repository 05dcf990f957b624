// Tests the texts of the page in English and German.
import { render, screen } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { Problem } from '$lib/api/problem';
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { actionSays } from '$lib/text/actions';
import { cardName, computerName, outcomeSays, playerName, stepSays, whyNot } from '$lib/text/words';
import { problemSays } from '$lib/text/problems';
import { anyOf, plain } from '$lib/text/written';
import Sentence from '$lib/text/Sentence.svelte';
import ProblemNote from '$lib/ui/ProblemNote.svelte';
import openapi from '../../crates/overmate-server/openapi.json';
import { demanding, following, overmated } from './fixtures';

const catalogues = import.meta.glob<Record<string, string>>('../messages/*/*.json', {
  eager: true,
  import: 'default'
});

const sources = import.meta.glob<string>('../messages/*/*.json', {
  eager: true,
  query: '?raw',
  import: 'default'
});

describe('the catalogues', () => {
  it('have each message once', () => {
    const keys = Object.entries(sources).flatMap(([file, text]) =>
      [...text.matchAll(/^ {2}"(\w+)":/gm)].map(([, key]) => `${file.split('/')[2]} ${key}`)
    );
    expect(new Set(keys).size).toBeGreaterThan(600);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('have the same messages and placeholders in both languages', () => {
    const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
    let compared = 0;
    for (const [file, english] of Object.entries(catalogues).filter(([file]) => file.includes('/en/'))) {
      const german = catalogues[file.replace('/en/', '/de/')] ?? {};
      expect(Object.keys(german), file).toEqual(Object.keys(english));
      for (const [key, text] of Object.entries(english)) {
        // A German sentence may lack a placeholder of the English sentence, but has no additional
        // placeholder.
        for (const place of places(german[key] ?? ''))
          expect(places(text), `${file} ${key}`).toContain(place);
        expect(german[key], `${file} ${key}`).not.toBe('');
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(300);
  });
});

describe('alternatives', () => {
  it('are joined by the word of the reader’s language', () => {
    const cards = ['Qh', 'Kh', 'Ah'];
    expect(anyOf(cards, true)).toBe('[Qh], [Kh], or [Ah]');
    expect(anyOf(cards.slice(0, 1), false)).toBe('[-Qh]');
    overwriteGetLocale(() => 'de');
    expect(anyOf(cards, true)).toBe('[Qh], [Kh] oder [Ah]');
  });
});

describe('a sentence with pictures', () => {
  it('keeps the punctuation behind a picture on the line of the picture', () => {
    const { deck } = following.facts;
    const text = 'Answer [-Qh], or any [h]. Then lead [Kh] again';
    const { container } = render(Sentence, { text, deck });
    const ends = [...container.querySelectorAll('.whole')].map(({ lastChild }) => lastChild?.textContent);
    expect(ends).toEqual([',', '.']);
    expect(screen.getAllByRole('img')).toHaveLength(3);
    const names = ['Qh', 'Kh'].map((card) => cardName(deck, card));
    expect(plain(deck, text)).toMatch(
      new RegExp(`^Answer ${names[0]}, or any .+\\. Then lead ${names[1]} again$`)
    );
  });
});

describe('problems', () => {
  it('have a text in the language of the reader for every code', () => {
    const codes: string[] = openapi.components.schemas.Code.enum;
    expect(codes.length).toBeGreaterThan(15);
    for (const code of [...codes, 'offline', 'unheard-of']) {
      const problem = new Problem(code, 'the detail', 400);
      const words = ['en', 'de'].map((locale) => {
        overwriteGetLocale(() => locale as 'en' | 'de');
        return problemSays(problem);
      });
      expect(words[0], code).not.toBe(words[1]);
      expect(words, code).not.toContain('the detail');
    }
    overwriteGetLocale(() => 'de');
    const said = 'the request is not valid: there is no deal 999';
    render(ProblemNote, { problem: new Problem('bad-request', said, 400) });
    expect(
      screen.getByText('Der Server kann diese Eingabe nicht lesen. Prüfe, was du eingegeben hast.')
    ).toBeTruthy();
    const detail = screen.getByText(said);
    expect(detail.lang).toBe('en');
    // The detailed English explanation of a problem is hidden in a closed `details` element.
    expect(detail.closest('details')?.open).toBe(false);
    expect(screen.getByText('Einzelheiten (auf Englisch)').tagName).toBe('SUMMARY');
  });

  it('offer a repetition only if it can help, and a sign-in to signed-out browsers', () => {
    const offers = (code: string, status: number) => {
      const { container } = render(ProblemNote, {
        problem: new Problem(code, '', status),
        onretry: () => {}
      });
      return [container.querySelector('button')?.textContent, container.querySelector('a')?.textContent];
    };
    const [nothing, again, signIn] = [[], ['Try again'], [undefined, 'Sign in']];
    const both = ['Try again', 'Sign in'];
    const cases = [
      ['offline', 0, again],
      ['timeout', 408, again],
      ['too-many', 429, again],
      ['internal', 500, again],
      ['busy', 503, again],
      ['unknown', 504, again],
      ['bad-request', 400, nothing],
      ['not-allowed', 403, nothing],
      ['not-found', 404, nothing],
      ['conflict', 409, nothing],
      ['signed-out', 401, both],
      ['account-needed', 403, signIn]
    ] as const;
    for (const [code, status, [button, link]] of cases)
      expect(offers(code, status), code).toEqual([button, link]);
  });

  it('name the part of a bad request that the reader wrote', () => {
    const problem = new Problem('bad-request', 'the detail', 400);
    const parts = ['rules', 'deal', 'hands', 'record', 'position'] as const;
    const words = ['en', 'de'].flatMap((locale) => {
      overwriteGetLocale(() => locale as 'en' | 'de');
      return [null, ...parts].map((about) => problemSays(problem, about));
    });
    expect(new Set(words).size).toBe(12);
    expect(problemSays(new Problem('busy', 'the detail', 503), 'deal')).toBe(
      problemSays(new Problem('busy', 'the detail', 503))
    );
    overwriteGetLocale(() => 'de');
    render(ProblemNote, { problem, about: 'deal' });
    expect(screen.getByText(/keine Verteilung mit dieser Nummer/)).toBeTruthy();
  });
});

describe('cards and steps', () => {
  const deck = following.facts.deck;

  it('have names in the language of the reader', () => {
    expect(cardName(deck, 'Qs')).toBe('queen of spades');
    expect(cardName(demanding.facts.deck, 'Ng')).toBe('green knight');
    overwriteGetLocale(() => 'de');
    expect(cardName(deck, 'Qs')).toBe('Pik-Dame');
    expect(cardName(demanding.facts.deck, 'Ng')).toBe('Springer in Grün');
  });

  it('have a sentence for every step of a game', () => {
    const { match } = overmated;
    const game = match.finished[0];
    if (!game?.outcome) throw new Error('the first game is missing');
    const told = game.steps.map((step) => stepSays(match, game, deck, step));
    expect(told).toHaveLength(21);
    expect(told[0]).toBe('Anna foreplaces nothing.');
    expect(told[1]).toBe('Bert foreplaces the queen of diamonds.');
    expect(told[3]).toBe('Bert answers with the seven of diamonds. Anna wins move 1.');
    expect(outcomeSays(match, game, game.outcome)).toBe('Overmate! Bert wins 3 × 11 × 2 = 66.');
  });

  it.each([
    [
      'en',
      [
        'foreplacing nothing',
        'foreplacing ten of clubs',
        'a card face down',
        'ten of clubs',
        'king of clubs with a demand',
        'king of spades as the free move'
      ]
    ],
    [
      'de',
      [
        'nichts vorlegen',
        'Kreuz-Zehn vorlegen',
        'eine verdeckte Karte',
        'Kreuz-Zehn',
        'Kreuz-König mit Forderung',
        'Pik-König als freier Zug'
      ]
    ]
  ] as const)('have words without commas for every kind of action (%s)', (locale, texts) => {
    overwriteGetLocale(() => locale);
    const actions = ['-', '(Tc)', '(?)', 'Tc', 'Kc!', 'Ks*'];
    expect(actions.map((action) => actionSays(deck, action))).toEqual(texts);
  });

  it('have a reason for every card that cannot be played', () => {
    const game = following.match.current;
    const reasons = game.not_legal.map((reason) => whyNot(deck, game.lead?.card ?? null, reason));
    expect(reasons).toHaveLength(7);
    expect(reasons[0]).toBe('You hold the suit that was led and must follow it: diamonds.');
    overwriteGetLocale(() => 'de');
    const first = game.not_legal[0];
    expect(first && whyNot(deck, 'Ad', first)).toBe(
      'Du hast die ausgespielte Farbe und musst sie bedienen: Karo.'
    );
  });
});

describe('the name of a computer opponent', () => {
  it('is that of a level, of the perfect opponent, or of a program', () => {
    expect(['level:3', 'perfect', 'program:3'].map(computerName)).toEqual([
      'Level 3',
      'Perfect',
      'Program 3'
    ]);
  });
});

describe('the name of a player', () => {
  it('is isolated in its direction if it is written from right to left', () => {
    const named = (name: string) => playerName({ name, kind: 'friend', level: null, bot: false }, 'a');
    expect(named('Zoë 3')).toBe('Zoë 3');
    expect(named('שרה')).toBe('\u2068שרה\u2069');
    expect(named('Ann سلمى')).toBe('\u2068Ann سلمى\u2069');
  });

  it('is marked if a program plays', () => {
    expect(playerName({ name: 'Robot', kind: 'friend', level: null, bot: true }, 'a')).toBe('BOT Robot');
  });
});
