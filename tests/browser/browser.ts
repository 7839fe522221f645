import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Why tests in a browser are left out, where they are: `npm test` installs it when it may. */
export const noBrowser = existsSync(executablePath)
  ? undefined
  : 'chromium is not installed (apt-get install chromium)';

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
}
