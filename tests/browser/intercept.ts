import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const probe = '/is-intercepted';

/** As `page.route`, for a page that is open, and in effect when it returns: a busy page hears of its first route late. */
export async function intercept(page: Page, ...[url, handler]: Parameters<Page['route']>): Promise<void> {
  await page.route(url, handler);
  await page.route(`**${probe}`, (route) => route.fulfill({ status: 204 }));
  const ask = async (path: string) => (await fetch(path, { signal: AbortSignal.timeout(5_000) })).status;
  await expect.poll(() => page.evaluate(ask, probe).catch(() => 0)).toBe(204);
}
