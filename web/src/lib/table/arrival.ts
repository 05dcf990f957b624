// Remembers the step from a finished match to the next match, which the next table announces.

let isNext = false;

/** Stores, before the address changes, that the page goes from a match to the next match. */
export function goesOn(): void {
  isNext = true;
}

/** Returns whether the page has come from another match; a second call returns false. */
export function hasGoneOn(): boolean {
  const was = isNext;
  isNext = false;
  return was;
}
