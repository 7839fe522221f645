import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The same browser twice. The first has no window of its own, and opens a page with an eighth of the processor time. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Why browser tests are skipped, if they are. `npm test` installs Chromium where it is allowed to. */
export const noBrowser =
  executablePath === undefined ? 'Chromium is not installed (apt-get install chromium-headless-shell)' : undefined;

export function launchBrowser(moreArguments: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error(noBrowser);
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // One process less to start, and one thread less to wake, for each browser.
      '--in-process-gpu',
      '--num-raster-threads=1',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
      ...moreArguments,
    ],
  });
}
