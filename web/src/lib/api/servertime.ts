// Estimates the time of the server's clock, because the clock of the device can be wrong.

/**
 * Time in milliseconds by which the server's clock is ahead of the clock of the device. It is too small by up to a
 * second, because the header counts whole seconds, and by the time that the response was on its way.
 */
let ahead = 0;

/** Notes the time at which the server sent a response. */
export function noteServerTime({ headers }: Response): void {
  const sent = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(sent)) ahead = sent - Date.now();
}

/**
 * Returns the current time of the server's clock, in milliseconds since 1970. Before the first response, the time is
 * that of the device.
 */
export const serverNow = (): number => Date.now() + ahead;
