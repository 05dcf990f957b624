// Stores ids of this browser's offers in the local storage, which all tabs share. The ids belong to offers whose
// acceptance has not been shown yet, and to offers whose end the page does not announce.
import { fieldsOf, isText, listOf, stored } from '$lib/storage';

/** Ids of the viewer's offers, shared by the tabs of this browser. */
export interface KnownOffers {
  /** Ids of the viewer's offers whose acceptance has not been shown yet. */
  waiting: string[];
  /**
   * Ids of the viewer's offers whose end the page does not announce, because the viewer knows of the end or has caused
   * it.
   */
  expected: string[];
}

/** Key in the browser's local storage under which the offer ids are stored. */
const KEY = 'overmate.offers';

/** Maximum number of offer ids that the browser stores in the list `expected`. The newest ids are kept. */
const MOST = 30;

export function readKnown(): KnownOffers {
  const { waiting, expected } = fieldsOf(stored(KEY));
  return { waiting: listOf(waiting, isText), expected: listOf(expected, isText) };
}

export function writeKnown({ waiting, expected }: KnownOffers): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ waiting, expected: expected.slice(-MOST) }));
  } catch {
    // If the local storage does not work, a newly opened page learns of this browser's offers only from the server.
  }
}

/**
 * Registers a callback for changes of the stored offer ids by another tab. Returns the function that stops listening.
 */
export function onKnown(heard: (known: KnownOffers) => void): () => void {
  const listen = ({ key }: StorageEvent) => (key === KEY || key === null) && heard(readKnown());
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}
