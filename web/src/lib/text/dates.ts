// Formats days and times from the server in the reader's language and time zone.
import { getLocale } from '$lib/paraglide/runtime';

/** Returns the locale of the page: its language in the regional variety that the browser prefers, such as `en-GB`. */
function variety(): string {
  const language = getLocale();
  // On some systems, the browser reports language tags that the formatter refuses, such as `en-US@posix`.
  const isTag = (one: string) => /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(one);
  return navigator.languages.find((one) => isTag(one) && one.split('-')[0] === language) ?? language;
}

const format = (date: string | number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(variety(), options).format(new Date(date));

/**
 * Formats the date of a timestamp in the viewer's time zone. A date without a time of day keeps its day in every time
 * zone.
 */
export const day = (date: string): string =>
  format(date, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(/^\d{4}-\d\d-\d\d$/.test(date) && { timeZone: 'UTC' })
  });

/** Formats the time of day of a timestamp in the viewer's time zone. */
export const timeOfDay = (date: string): string => format(date, { hour: 'numeric', minute: '2-digit' });

/** Formats a timestamp as a day and a time of day in the viewer's time zone. */
export const momentSays = (date: string | number): string =>
  format(date, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
