import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/parts.mjs';

export function launchBrowser(moreArguments: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("Chromium is missing: a test of it says `needs('chromium')`");
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
