import type { TestServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword, startTestServer } from '@earshot/server/testing/server';
import type { Config } from '@earshot/server/config';
import type { SpeechEngines } from '@earshot/server/features/caption/engine/engines';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { waitMs } from '@earshot/server/testing/limits';
import { launchBrowser, sharedBrowser } from './browser.ts';
import { wide } from './screens.ts';

export interface Console {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Script errors and content security policy violations of all pages. */
  readonly faults: string[];
  /** Errors in the browser's log, such as failed requests, of all pages that `open` opened. */
  readonly logErrors: string[];
  /** Opens a page in a new browser context, signed in as the admin or the given user. */
  open(path: string, options?: OpenOptions): Promise<Page>;
  stop(): Promise<void>;
}

export interface OpenOptions {
  readonly size?: { readonly width: number; readonly height: number };
  readonly email?: string;
  readonly password?: string;
  readonly theme?: 'light' | 'dark';
  /** Disables animations. */
  readonly isStill?: boolean;
  /** Without it, no service worker: the requests of its pages could not be intercepted. */
  readonly hasWorker?: boolean;
}

/**
 * A server for a test file, and a browser, which is its own if it has arguments. Without a speech engine nothing is
 * transcribed.
 */
export async function startConsole(
  config: Partial<Config> = {},
  engines?: SpeechEngines,
  browserArguments?: readonly string[],
  agentDir?: string,
): Promise<Console> {
  const [server, browser] = await Promise.all([
    startTestServer(config, { engines, agentDir }),
    browserArguments ? launchBrowser(browserArguments) : sharedBrowser(),
  ]);
  const faults: string[] = [];
  const logErrors: string[] = [];
  return {
    server,
    browser,
    faults,
    logErrors,
    async open(
      path,
      {
        size = wide,
        email = adminEmail,
        password = adminPassword,
        theme = 'light',
        isStill = false,
        hasWorker = false,
      } = {},
    ) {
      const context = await browser.newContext({
        viewport: size,
        colorScheme: theme,
        reducedMotion: isStill ? 'reduce' : 'no-preference',
        serviceWorkers: hasWorker ? 'allow' : 'block',
        baseURL: server.url,
      });
      const page = await watch(context, faults, logErrors);
      const answer = await context.request.post('/v1/session', { data: { email, password } });
      if (!answer.ok()) throw new Error(`signing in was answered ${answer.status()}`);
      await page.goto(path);
      return page;
    },
    async stop() {
      for (const context of browser.contexts()) await context.close();
      if (browserArguments) await browser.close();
      await server.stop();
    },
  };
}

export async function watch(context: BrowserContext, faults: string[], logErrors: string[] = []): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
    if (message.type() === 'error') logErrors.push(`${message.text()} ${message.location().url}`);
  });
  return page;
}
