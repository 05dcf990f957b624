// What the pages expect of a browser and the test environment lacks.
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { beforeEach } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  overwriteGetLocale(() => 'en');
});
