import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole, watch } from './console.ts';
import { overEdge } from './edges.ts';
import { intercept } from './intercept.ts';
import { smallPhone, wide } from './screens.ts';
import { keyboardFaults } from './tab-stops.ts';

describe('the documentation', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole();
  });
  afterAll(() => app.stop());

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await app.browser.newContext({ viewport: wide, baseURL: app.server.url, ...options });
    const page = await watch(context, app.faults);
    await page.goto(path);
    return page;
  }

  const heading = (page: Page) => page.locator('main h1:visible').textContent();

  test('is searched and read with the keyboard alone', async () => {
    const page = await open('/docs');
    expect(new URL(page.url()).pathname).toBe('/docs/');
    await page.keyboard.press('/');
    await page.keyboard.type('pooler transaction');
    const hits = page.locator('#results li a');
    await hits.first().waitFor();
    expect(await hits.first().getAttribute('href')).toBe('/docs/operating#several-nodes');
    expect(await page.locator('#results mark').first().textContent()).toMatch(/pooler|transaction/i);
    expect(await page.locator('#page').isVisible()).toBe(false);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe('/docs/operating#several-nodes');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/operating#several-nodes');
    expect(await heading(page)).toBe('Operating Earshot');

    await page.keyboard.press('/');
    await page.keyboard.type('no-such-word-anywhere');
    await page.getByText('Nothing contains no-such-word-anywhere.').first().waitFor();
    await page.keyboard.press('Escape');
    expect(await heading(page)).toBe('Operating Earshot');
    await page.keyboard.type('upgrade');
    await hits.first().waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/upgrade*');
    await page.context().close();
  });

  test('says that the search could not be loaded, and searches when it can', async () => {
    const page = await open('/docs/');
    await intercept(page, '**/docs/search.json', (route) => route.abort());
    await page.keyboard.press('/');
    await page.keyboard.type('backu');
    await page.getByText('The search could not be loaded.').first().waitFor();
    await page.unroute('**/docs/search.json');
    await page.keyboard.type('p');
    await page.locator('#results li a').first().waitFor();
    await page.context().close();
  });

  test('has a path of reading, and works without scripts', async () => {
    const page = await open('/docs/', { javaScriptEnabled: false });
    expect(await page.locator('#search').isVisible()).toBe(false);
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Install and first start').click();
    expect(await heading(page)).toBe('Install and first start');
    await page.locator('.page-end .after').click();
    expect(await heading(page)).toBe('Hardware and sizing');
    expect(await page.locator('.contents [aria-current]').textContent()).toBe('Hardware and sizing');
    await page.getByRole('navigation', { name: 'On this page' }).getByText('Disk').click();
    expect(new URL(page.url()).hash).toBe('#disk');
    await page.locator('.page-end .before').click();
    expect(await heading(page)).toBe('Install and first start');
    await page.goto('/docs/nowhere');
    expect(await heading(page)).toBe('Page not found');
    await page.context().close();
  });

  test('has its list of pages on a phone, too', async () => {
    const page = await open('/docs/install', { viewport: smallPhone });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    expect(await pages.isVisible()).toBe(false);
    await page.getByText('All pages').click();
    await pages.getByText('Glossary').click();
    expect(await heading(page)).toBe('Glossary');
    await page.context().close();
  });

  test('is linked from the console', async () => {
    const page = await app.open('/');
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL('**/docs/');
    expect(await heading(page)).toBe('Earshot documentation');
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().close();
  });

  test.each([
    ['light, wide', 'light', wide],
    ['dark, on a small phone', 'dark', smallPhone],
  ] as const)('has no fault that axe or the Tab key shows, and fits: %s', async (_name, colorScheme, viewport) => {
    const page = await open('/docs/', { colorScheme, viewport, reducedMotion: 'reduce' });
    const found = [...(await violationsOf(page))];
    // All kinds of parts: drawings, tables of two, three and more columns, long code.
    for (const path of ['/docs/architecture', '/docs/troubleshooting', '/docs/agent', '/docs/scale']) {
      await page.goto(path);
      found.push(...(await overEdge(page)));
    }
    found.push(...(await violationsOf(page)), ...(await keyboardFaults(page)));
    await page.keyboard.press('/');
    await page.keyboard.type('disk');
    await page.locator('#results li a').first().waitFor();
    found.push(...(await violationsOf(page, 'main')), ...(await overEdge(page)));
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
