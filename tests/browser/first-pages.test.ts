import { startNode } from '@earshot/server/node';
import { createTestDatabase } from '@earshot/server/testing/database';
import { silentLog } from '@earshot/server/testing/log';
import {
  adminEmail,
  adminPassword,
  startTestServer,
  type TestServer,
  testNodeOptions,
  noCaptions,
} from '@earshot/server/testing/server';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, noBrowser } from './browser.ts';

describe.skipIf(noBrowser !== undefined)('the first pages, in Chromium', () => {
  let browser: Browser;
  let server: TestServer;
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startTestServer();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function openPage(url: string): Promise<{ page: Page; faults: string[] }> {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    await page.goto(url);
    return { page, faults };
  }

  test('a person signs in, adds a device, makes a key that works, deletes it and signs out', async () => {
    const { page, faults } = await openPage(server.url);
    await page.getByLabel('Email').fill(adminEmail);
    await page.locator('#password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The email or the password is wrong.').waitFor();
    await page.locator('#password').fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No devices yet').waitFor();

    const hostileName = '<img src=x onerror=alert(1)> مرحبا 🎙';
    await page.getByLabel('Serial').fill('recorder-17');
    await page.getByLabel('Name (optional)').fill(hostileName);
    await page.getByRole('button', { name: 'Add device' }).click();
    await page.locator('#devices').getByText(hostileName).waitFor();

    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByText('Your new API key').waitFor();
    const [access, secret] = await Promise.all(
      ['#new-access-key', '#new-secret-key'].map((part) => page.locator(part).textContent()),
    );
    const withKey = () =>
      fetch(`${server.url}/v1/agenttype/list`, {
        headers: { authorization: `Basic ${Buffer.from(`${access}:${secret}`).toString('base64')}` },
      });
    expect((await withKey()).status).toBe(200);

    await page
      .locator('#keys')
      .getByRole('button', { name: /Delete/ })
      .first()
      .click();
    await page
      .locator('#keys')
      .getByRole('button', { name: /Delete/ })
      .first()
      .click();
    await page.getByText('No API keys yet').waitFor();
    expect((await withKey()).status).toBe(401);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  test('the first account is made with the one-time link, which leaves the address bar', async () => {
    const database = await createTestDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'earshot-setup-'));
    const settings = { host: '127.0.0.1', port: 0, dataDir, databaseUrl: database.url, databaseConnections: 5 };
    const others = { secretKey: undefined, publicOrigin: undefined, admin: undefined, trustProxy: [], rateLimit: 0 };
    const work = {
      eventTimes: { leaseSeconds: 300, retrySeconds: 5 },
      longPollSeconds: 60,
      storage: { url: '', accessKey: '', secretKey: '' },
      bodyIdleSeconds: 60,
      fileSweepSeconds: 60,
      allowNetworks: [],
      role: 'all' as const,
      captions: noCaptions,
    };
    const node = await startNode(testNodeOptions({ ...settings, ...others, ...work }, silentLog));
    try {
      const { page, faults } = await openPage(`${node.url}/setup#token=${node.setupToken}`);
      expect(page.url()).not.toContain('token');
      await page.getByLabel('Email').fill('ada@example.org');
      await page.locator('#password').fill('correct horse battery staple');
      await page.getByRole('button', { name: 'Create the account' }).click();
      await page.getByText('Signed in as ada@example.org (admin)').waitFor();
      expect(faults).toEqual([]);
      await page.close();
    } finally {
      await node.stop();
      await rm(dataDir, { recursive: true, force: true });
      await database.drop();
    }
  });

  test('the API page is readable without scripts and loads nothing from elsewhere', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${server.url}/api`);
    expect(await page.locator('#registerAgent').textContent()).toContain('/v1/agent');
    expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([]);
    await context.close();
  });
});
