// Resets the state of the browser before each test.
import { overwriteGetLocale } from '$lib/paraglide/runtime';
import { beforeEach } from 'vitest';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  overwriteGetLocale(() => 'en');
});
