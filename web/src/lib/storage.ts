// Reads JSON values from the browser's local storage. Their form is checked, because an earlier version of the page or
// another program may have written them.

/**
 * Returns the JSON value in the local storage under a key. Returns null without a value, for a text that is not JSON,
 * and if the local storage does not work.
 */
export function stored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

export const isText = (value: unknown): value is string => typeof value === 'string';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fields of a JSON object. Returns no fields for another JSON value. */
export const fieldsOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

/** Returns the items of a JSON array that have a given form. Returns an empty list for another JSON value. */
export const listOf = <Item>(value: unknown, isItem: (item: unknown) => item is Item): Item[] =>
  Array.isArray(value) ? value.filter(isItem) : [];
