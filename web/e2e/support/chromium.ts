// Finds the Chromium that is installed on the system.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of the first installed program among the given names. */
function installedProgram(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(existsSync);
}

/** Launch options for the full Chromium, which can also install web apps and ask for permissions. */
export const wholeBrowser = { executablePath: installedProgram('chromium') };

/**
 * Launch options for the headless Chromium, which takes less processor time than the full Chromium. If the headless
 * Chromium is missing, the options are for the full Chromium.
 */
export const chromium = { executablePath: installedProgram('chromium-headless-shell', 'chromium') };
