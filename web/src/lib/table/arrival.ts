// Remembers a navigation from a finished match to the next match, so that the page can announce the start of the next
// match.

let isNext = false;

/** Records that the page navigates from a match to the next match. Must be called before the URL changes. */
export function goesOn(): void {
  isNext = true;
}

/** Returns whether `goesOn` has recorded a navigation to the shown match. The call clears the record. */
export function hasGoneOn(): boolean {
  const was = isNext;
  isNext = false;
  return was;
}
