import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EarshotNode } from '@earshot/server/node';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import type { TestServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword, startTestServer } from '@earshot/server/testing/server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { violationsOf } from './axe.ts';
import { sharedBrowser } from './browser.ts';
import { watch } from './console.ts';
import { phone } from './screens.ts';

const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** The paths of all that the page's origin stores in caches. */
const storedPaths = (page: Page) =>
  page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
    }
    return found.toSorted();
  });

const themeScriptOf = (html: string) => /theme-[\w-]+\.js/.exec(html)?.[0] ?? '';

describe('the console as an app', needs('chromium'), () => {
  let server: TestServer;
  let node: EarshotNode;
  let consoleDir: string;
  const faults: string[] = [];
  beforeAll(async () => {
    consoleDir = await mkdtemp(join(tmpdir(), 'earshot-console-'));
    await cp(builtConsole, consoleDir, { recursive: true });
    server = await startTestServer({ port: await findFreePort() }, { consoleDir });
    ({ node } = server);
  });
  afterAll(async () => {
    await server.stop();
    await rm(consoleDir, { recursive: true });
  });

  async function restart(whileStopped?: () => Promise<void>): Promise<void> {
    await node.stop();
    await whileStopped?.();
    node = await server.addNode();
  }

  /** Opens a page of a person who is signed in, and waits until the shell is stored. */
  async function visit(path: string, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
    const browser = await sharedBrowser();
    const context = await browser.newContext({ viewport: phone, colorScheme, baseURL: server.url });
    onTestFinished(() => context.close());
    const page = await watch(context, faults);
    await context.request.post('/v1/session', { data: { email: adminEmail, password: adminPassword } });
    await page.goto(path);
    await expect.poll(() => storedPaths(page)).toContain('/');
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
    return page;
  }

  const away = (page: Page) => page.getByRole('heading', { name: 'The server is not reached' });

  test('its manifest and icons are read without a session, with their types, and checked again each time', async () => {
    const get = (path: string, headers = {}) => fetch(new URL(path, server.url), { headers });
    const manifest = (await (await get('/pages/app.webmanifest')).json()) as {
      icons: readonly { src: string; sizes: string; purpose?: string }[];
    };
    expect(manifest).toMatchObject({ name: 'Earshot', start_url: '/', scope: '/', display: 'standalone' });
    expect(manifest.icons.map(({ purpose = 'any', sizes }) => `${purpose} ${sizes}`)).toEqual([
      'any 192x192',
      'any 512x512',
      'maskable 512x512',
    ]);
    for (const { src, sizes } of manifest.icons) {
      const bytes = Buffer.from(await (await get(src)).arrayBuffer());
      expect(bytes.subarray(1, 4).toString()).toBe('PNG');
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
      expect(bytes.length).toBeLessThan(20_000);
    }
    for (const [path, type] of [
      ['/pages/app.webmanifest', 'application/manifest+json; charset=utf-8'],
      ['/sw.js', 'text/javascript; charset=utf-8'],
      ...manifest.icons.map(({ src }) => [src, 'image/png'] as const),
    ] as const) {
      const { headers } = await get(path);
      expect([path, headers.get('content-type'), headers.get('cache-control')]).toEqual([path, type, 'no-cache']);
      expect((await get(path, { 'if-none-match': headers.get('etag') })).status).toBe(304);
    }
  });

  test.each(['light', 'dark'] as const)('the phone has the colour of the page around it: %s', async (scheme) => {
    const page = await visit('/settings', scheme);
    const colours = () =>
      page.evaluate(() => {
        const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')];
        const around = metas.filter(({ media }) => matchMedia(media).matches).map(({ content }) => content);
        const hex = getComputedStyle(document.documentElement).getPropertyValue('--paper');
        return { around, page: hex };
      });
    const seen = new Set<string>();
    for (const theme of ['System', 'Dark', 'Light']) {
      await page.getByRole('button', { name: theme, exact: true }).click();
      const { around, page: background } = await colours();
      expect(around).toEqual([background]);
      seen.add(background);
    }
    expect(seen.size).toBe(2);
  });

  test('stores no answer of the API and no sound, and hands on none', async () => {
    const { session } = server.admin;
    await session.createDevice({ body: { deviceSerial: 'gate', deviceName: 'North gate', autoCaption: false } });
    const [clip] = await session.announceAudioClips({
      params: { deviceSerial: 'gate' },
      body: [{ startTime: Math.floor(Date.now() / 1_000) - 3_600, clipLengthInSeconds: 2 }],
    });
    await session.putAudioClipContent({ params: { audioClipID: clip?.key ?? 0 }, body: tinyWav(2) });
    const page = await visit('/');
    const handedOn: string[] = [];
    page.on('response', (answer) => {
      if (answer.fromServiceWorker()) handedOn.push(new URL(answer.url()).pathname);
    });
    const sound = page.waitForResponse((answer) => /\/v1\/.*content/.test(answer.url()));
    await page.goto('/clips');
    await page.locator('.clip-row').first().getByRole('button', { name: /^Play/ }).click();
    expect((await sound).fromServiceWorker()).toBe(false);
    await page.goto('/devices');
    await page.getByText('North gate').first().waitFor();
    const isOfShell = (path: string) => /^\/(assets\/[^/]+|pages\/logo\.svg)?$/.test(path);
    expect((await storedPaths(page)).filter((path) => !isOfShell(path))).toEqual([]);
    expect(handedOn).toContain('/devices');
    expect(handedOn.filter((path) => !['/clips', '/devices'].includes(path) && !isOfShell(path))).toEqual([]);
  });

  test('without the server it opens and says so, and comes back by itself, with the same content policy', async () => {
    const page = await visit('/');
    const policies = await page.evaluate(async () => {
      const answers = [await fetch('/'), await caches.match('/')];
      return answers.map((answer) => answer?.headers.get('content-security-policy'));
    });
    expect(policies[0]).toContain("script-src 'self'");
    expect(policies[1]).toBe(policies[0]);
    await restart(async () => {
      // The cache of HTTP may be emptied at any time.
      const session = await page.context().newCDPSession(page);
      await session.send('Network.clearBrowserCache');
      await page.goto('/devices?find=gate');
      await away(page).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Try again now' }).click();
      await away(page).waitFor();
    });
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
    expect(new URL(page.url()).search).toBe('?find=gate');
  });

  test('a proxy that does not reach the server is not shown instead', async () => {
    const page = await visit('/');
    const proxy = createServer((_request, response) => response.writeHead(502).end('Bad gateway'));
    await restart(async () => {
      proxy.listen(Number(new URL(server.url).port), '127.0.0.1');
      await page.goto('/devices');
      await away(page).waitFor();
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    });
    await page.getByRole('heading', { name: 'Devices' }).waitFor();
  });

  test('a new build is taken when the console is opened next, and not under the hands of a person', async () => {
    const page = await visit('/settings');
    const before = await storedPaths(page);
    await page.getByRole('textbox', { name: /^Name/ }).fill('Ada');
    let former = '';
    await restart(async () => {
      const index = join(consoleDir, 'index.html');
      const html = readFileSync(index, 'utf8');
      former = themeScriptOf(html);
      for (const ending of ['', '.br', '.gz']) {
        renameSync(
          join(consoleDir, 'assets', `${former}${ending}`),
          join(consoleDir, 'assets', `theme-newbuild.js${ending}`),
        );
      }
      writeFileSync(index, html.replace(former, 'theme-newbuild.js'));
    });
    const opened = await page.context().newPage();
    const themeOf = (of: Page) => of.locator('head script[src*="theme-"]').getAttribute('src');
    await opened.goto('/');
    await opened.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await themeOf(opened)).toBe('/assets/theme-newbuild.js');
    await expect.poll(() => storedPaths(opened)).toContain('/assets/theme-newbuild.js');
    const changed = before.map((path) => path.replace(former, 'theme-newbuild.js'));
    await expect.poll(() => storedPaths(opened)).toEqual(changed.toSorted());
    expect(await page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Ada');
    expect(await themeOf(page)).toBe(`/assets/${former}`);

    await node.stop();
    await opened.goto('/devices');
    await away(opened).waitFor();
    expect(await themeOf(opened)).toBe('/assets/theme-newbuild.js');
    node = await server.addNode();
    await opened.getByRole('heading', { name: 'Devices' }).waitFor();
  });

  test('nothing broke the content policy', () => {
    expect(faults).toEqual([]);
  });
});
