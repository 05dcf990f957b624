// Writes days and times of the server in the reader's language and time zone.
import { getLocale } from '$lib/paraglide/runtime';

const format = (date: string | number, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(getLocale(), options).format(new Date(date));

/** Returns the day of a time of the server, or a day of the server without a time, which no time zone changes. */
export const day = (date: string): string =>
  format(date, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(/^\d{4}-\d\d-\d\d$/.test(date) && { timeZone: 'UTC' })
  });

/** Returns the time of day of a time of the server. */
export const timeOfDay = (date: string): string => format(date, { hour: 'numeric', minute: '2-digit' });

/** Returns a time of the server as a day and a time of day. */
export const momentSays = (date: string | number): string =>
  format(date, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
