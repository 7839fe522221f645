import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { stopAtWorkerEnd } from '@earshot/server/testing/worker-end';
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

let shared: Promise<Browser> | undefined;

/** One browser for all test files of a worker, which are run one after the other and use contexts of their own. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser().then((browser) => {
    // If it crashes, one test file fails, and the next starts another.
    browser.once('disconnected', () => (shared = undefined));
    stopAtWorkerEnd(() => browser.close());
    return browser;
  });
  return shared;
}
