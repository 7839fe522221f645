import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '@earshot/server/testing/needs';
import { startTestServer } from '@earshot/server/testing/server';
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../scripts/parts.mjs';

test(
  'the browser itself finds nothing that keeps the console from being installed',
  needs('chromium-window'),
  async () => {
    const [server, profile] = await Promise.all([startTestServer(), mkdtemp(join(tmpdir(), 'earshot-profile-'))]);
    onTestFinished(async () => {
      await server.stop();
      await rm(profile, { recursive: true, maxRetries: 5 });
    });
    // Nothing can be installed from the private windows that other tests open.
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: findProgram('chromium') ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const session = await context.newCDPSession(page);
    const { url, errors, data = '' } = await session.send('Page.getAppManifest');
    expect([url, errors]).toEqual([`${server.url}/pages/app.webmanifest`, []]);
    expect(JSON.parse(data)).toMatchObject({ name: 'Earshot' });
    expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
    expect(await session.send('Page.getAppId')).toMatchObject({ appId: `${server.url}/` });
  },
);
