// Finds the Chromium that is installed on the system.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of the first of some programs that is installed. */
function installedProgram(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return programs.flatMap((program) => folders.map((folder) => join(folder, program))).find(existsSync);
}

/** Options for the whole browser, which can also install pages and ask for permissions. */
export const wholeBrowser = { executablePath: installedProgram('chromium') };

/** Options for the Chromium without windows, which takes less processor time, or else for the whole browser. */
export const chromium = { executablePath: installedProgram('chromium-headless-shell', 'chromium') };
