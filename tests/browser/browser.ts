import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Why browser tests are skipped, if they are. `npm test` installs Chromium where it is allowed to. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : 'chromium is not installed (apt-get install chromium)';

export function launchBrowser(moreArguments: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
      ...moreArguments,
    ],
  });
}
