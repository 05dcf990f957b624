// Stores which own offers the tabs of this browser wait for, so that each tab and the next page know them.

/** Ids of own offers, as the tabs of this browser share them. */
export interface KnownOffers {
  /** Offers whose acceptance is not shown yet. */
  waiting: string[];
  /** Offers whose end the reader knows of or has asked for: no tab tells of it. */
  expected: string[];
}

/** Key of the ids in the storage of the browser. */
const KEY = 'overmate.offers';

/** Largest number of expected ends that are kept. */
const MOST = 30;

export function readKnown(): KnownOffers {
  try {
    const { waiting = [], expected = [] } = JSON.parse(
      localStorage.getItem(KEY) ?? '{}'
    ) as Partial<KnownOffers>;
    return { waiting, expected };
  } catch {
    return { waiting: [], expected: [] };
  }
}

export function writeKnown({ waiting, expected }: KnownOffers): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ waiting, expected: expected.slice(-MOST) }));
  } catch {
    // Without storage the next page does not know of the offers until it shows them.
  }
}

/** Calls a function after another tab has changed the ids. Returns the function that stops listening. */
export function onKnown(heard: (known: KnownOffers) => void): () => void {
  const listen = ({ key }: StorageEvent) => (key === KEY || key === null) && heard(readKnown());
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
