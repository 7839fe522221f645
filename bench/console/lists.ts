import type { launchBrowser } from '../../tests/browser/browser.ts';
import { longestTaskWhile } from './tasks.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Context = Awaited<ReturnType<Browser['newContext']>>;

export interface MeasuredPage {
  readonly requests: number;
  readonly rows: number;
  /** Until the last change of what the page shows. */
  readonly rightMs: number;
  /** Milliseconds of processor time. */
  readonly taskMs: number;
}

const quietMs = 700;
const longestMs = 60_000;

/** Runs in the page, as text: when its main part changed last. */
const watchChanges = `
  window.lastChange = 0;
  new MutationObserver(() => { window.lastChange = performance.now(); })
    .observe(document, { subtree: true, childList: true, characterData: true });`;

/** Opens a page of the console until nothing on it changes and nothing is requested any more. */
export async function measurePage(browser: Browser, context: Context, path: string): Promise<MeasuredPage> {
  const page = await context.newPage();
  await page.addInitScript(watchChanges);
  const open = new Set<unknown>();
  let requests = 0;
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/v1/') || pathname === '/v1/live') return;
    requests += 1;
    open.add(request);
  });
  const ended = (request: unknown) => void open.delete(request);
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  const taskMs = await longestTaskWhile(browser, page, async () => {
    await page.goto(path);
    for (let quietSince = Date.now(), waitedMs = 0; waitedMs < longestMs; waitedMs += 100) {
      await page.waitForTimeout(100);
      if (open.size > 0) quietSince = Date.now();
      const sinceChange = await page.evaluate<number>('performance.now() - window.lastChange');
      if (Date.now() - quietSince > quietMs && sinceChange > quietMs) return;
    }
  });
  const rightMs = await page.evaluate<number>('window.lastChange');
  const rows = await page.locator('main li.row, main [role="row"]').count();
  await page.close();
  return { requests, rows, rightMs, taskMs };
}
