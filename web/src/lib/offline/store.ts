// Keeps the matches that are played in the page, in the browser's database (IndexedDB).
import type { MatchSummary } from '$lib/api/types';
import type { OwnMatch } from 'overmate/requests';

/** Opens the channel among the tabs of the browser that carries the ids of changed matches; null in an old browser. */
export const openChannel = (): BroadcastChannel | null =>
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('overmate.matches');

/** Row of the database. */
export interface Row {
  id: string;
  match: OwnMatch;
  /** Match as an item in the list of matches. */
  summary: MatchSummary;
  /** Client id of the person's latest action, by which a repeated request is recognised. */
  client_id: string | null;
  /** Id of the match on the server; absent until the server has accepted the match. */
  handed?: string;
  /** Reason for which the server has refused the match; absent without a refusal. */
  refused?: { code: string; detail: string };
}

const NAME = 'overmate';
const MATCHES = 'matches';

/** Waits for a database request, and returns its result. */
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
  opened = done(request);
  opened.catch(() => (opened = null));
  return opened;
}

async function matches(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  return (await open()).transaction(MATCHES, mode).objectStore(MATCHES);
}

/** Writes to the database, and waits until the change survives a crash of the page. */
async function write(change: (store: IDBObjectStore) => void): Promise<void> {
  const store = await matches('readwrite');
  const written = new Promise<void>((resolve, reject) => {
    store.transaction.addEventListener('complete', () => resolve());
    store.transaction.addEventListener('abort', () =>
      reject(store.transaction.error ?? new Error('the database has failed'))
    );
  });
  change(store);
  await written;
}

export const readRow = async (id: string): Promise<Row | null> =>
  (await done<Row | undefined>((await matches('readonly')).get(id))) ?? null;

export const allRows = async (): Promise<Row[]> => done<Row[]>((await matches('readonly')).getAll());

export const writeRow = (row: Row): Promise<void> => write((store) => store.put(row));

export const removeRow = (id: string): Promise<void> => write((store) => store.delete(id));

export const removeAllRows = (): Promise<void> => write((store) => store.clear());
