// Keeps the matches that are played in the page, in the browser's database (IndexedDB).
import { Problem } from '$lib/api/problem';
import type { MatchSummary } from '$lib/api/types';
import type { OwnMatch } from 'overmate/requests';

/**
 * Opens the broadcast channel between the browser's tabs, which carries the ids of changed matches. Returns null in an
 * old browser.
 */
export const openChannel = (): BroadcastChannel | null =>
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('overmate.matches');

/** Row of the browser's database of offline matches. */
export interface Row {
  id: string;
  match: OwnMatch;
  /** Offline match as an item in the list of matches. */
  summary: MatchSummary;
  /**
   * Idempotency key that the page has chosen for the person's latest action. The page recognises a repeated request by
   * this key.
   */
  client_id: string | null;
  /** Id of the match on the server; absent until the server has accepted the match. */
  handed?: string;
  /** Error with which the server has rejected the transfer of the match; absent without such an error. */
  refused?: { code: string; detail: string };
}

const NAME = 'overmate';
const MATCHES = 'matches';

/** Waits for a database request, and returns the result of the request. */
const done = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('the database has failed')));
  });

let opened: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  if (opened) return opened;
  const request = indexedDB.open(NAME, 1);
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(MATCHES, { keyPath: 'id' })
  );
  opened = done(request).then((database) => {
    const close = () => {
      database.close();
      opened = null;
    };
    // Browsers close the database when its data are cleared, and some browsers close it in the background.
    database.addEventListener('close', close);
    database.addEventListener('versionchange', close);
    return database;
  });
  return opened;
}

/**
 * Runs a task on the browser's database of offline matches. After a failure, the next task opens the database again.
 */
async function stored<Result>(
  mode: IDBTransactionMode,
  task: (store: IDBObjectStore) => Promise<Result>
): Promise<Result> {
  try {
    return await task((await open()).transaction(MATCHES, mode).objectStore(MATCHES));
  } catch (thrown) {
    opened = null;
    throw new Problem('storage', String(thrown), 422);
  }
}

/**
 * Writes to the browser's database of offline matches, and waits until the transaction is complete. The change then
 * survives a crash of the page.
 */
const write = (change: (store: IDBObjectStore) => void): Promise<void> =>
  stored('readwrite', async (store) => {
    const written = new Promise<void>((resolve, reject) => {
      store.transaction.addEventListener('complete', () => resolve());
      store.transaction.addEventListener('abort', () =>
        reject(store.transaction.error ?? new Error('the database has failed'))
      );
    });
    change(store);
    await written;
  });

export const readRow = (id: string): Promise<Row | null> =>
  stored('readonly', async (store) => (await done<Row | undefined>(store.get(id))) ?? null);

export const allRows = (): Promise<Row[]> => stored('readonly', (store) => done<Row[]>(store.getAll()));

export const writeRow = (row: Row): Promise<void> => write((store) => store.put(row));

export const removeRow = (id: string): Promise<void> => write((store) => store.delete(id));

export const removeAllRows = (): Promise<void> => write((store) => store.clear());
