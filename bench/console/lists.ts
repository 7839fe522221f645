import type { launchBrowser } from '../../tests/browser/browser.ts';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import type { Bench, Goal } from '../open-bench.ts';
import { longestTaskWhile } from './tasks.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Context = Awaited<ReturnType<Browser['newContext']>>;

type FillLists = () => Promise<void>;

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

export const listGoals = {
  'requests of a page on a large installation': { atMost: 15, inAnySize: true },
  'rendered rows of it': { atMost: 150, inAnySize: true },
  'time until it is right, as a ratio to an empty list': { atMost: 4 },
} as const satisfies Record<string, Goal>;

type ListBench = Pick<Bench<keyof typeof listGoals, unknown>, 'say' | 'judge'>;

/** Pages of the server's own, which the navigation names too. */
const documents: ReadonlySet<string> = new Set(['/docs/', '/api']);

/** The pages of the navigation, as the console shows it. */
async function pagesOfNavigation(context: Context): Promise<readonly string[]> {
  const page = await context.newPage();
  await page.goto('/');
  const links = page.getByRole('navigation').getByRole('link');
  await links.first().waitFor();
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? '/'));
  await page.close();
  return [...new Set(paths)].filter((path) => !documents.has(path));
}

/** Every page of an installation with many devices. */
export async function measureLists(browser: Browser, url: string, bench: ListBench, fill: FillLists): Promise<void> {
  await fill();
  const context = await browser.newContext({ viewport: { width: 1_920, height: 1_080 }, baseURL: url });
  await context.request.post('/v1/session', { data: { email: adminEmail, password: adminPassword } });
  const listed = await context.request.get('/v1/collection/list/counts');
  const collections = (await listed.json()) as { readonly key: number; readonly deviceCount: number }[];
  const largest = collections.toSorted((a, b) => b.deviceCount - a.deviceCount)[0];
  const found = await context.request.post('/v1/device/list', { data: {} });
  const [device] = (await found.json()) as readonly { readonly key: number }[];
  const reference = await measurePage(browser, context, '/exports');
  const inside = [`/collections/${largest?.key}`, `/devices/${device?.key}`, '/search?q=fire'];
  for (const path of [...(await pagesOfNavigation(context)), ...inside]) {
    const { requests, rows, rightMs, taskMs } = await measurePage(browser, context, path);
    const of = path.replace(/\d+$/, 'one');
    bench.judge('requests of a page on a large installation', requests, { of });
    bench.judge('rendered rows of it', rows, { of });
    const details = `${rightMs.toFixed(0)} ms, longest task ${taskMs.toFixed(0)} ms`;
    const referenceMs = Math.max(reference.rightMs, 1);
    bench.judge('time until it is right, as a ratio to an empty list', rightMs / referenceMs, { of, details });
  }
  await context.close();
}
