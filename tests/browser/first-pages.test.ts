import { startNode } from '@earshot/server/node';
import { createTestDatabase } from '@earshot/server/testing/database';
import { silentLog } from '@earshot/server/testing/log';
import { personPassword } from '@earshot/server/testing/person';
import { adminEmail, adminPassword, baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole, watch } from './console.ts';
import { phone, wide } from './screens.ts';

describe('the first pages, in Chromium', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole();
  });
  afterAll(() => app.stop());

  const openOutside = async (url: string, viewport = wide) =>
    watch(await app.browser.newContext({ viewport }), app.faults).then(async (page) => {
      await page.goto(url);
      return page;
    });

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: a person signs in, gets to the requested page, and signs out', async (_name, size) => {
    const page = await openOutside(`${app.server.url}/settings`, size);
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Password is required.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Wrong email or password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`Signed in as ${adminEmail} (admin) · Earshot 0.0.0-test`).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.context().close();
  });

  test('too many wrong passwords show a waiting time, after which sign-in works', async () => {
    const { email } = await app.server.addPerson();
    const { db, url } = app.server;
    const body = JSON.stringify({ email, password: 'wrong' });
    for (let index = 0; index < 5; index++) {
      await fetch(`${url}/v1/session`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    }
    await db`update sign_in_attempts set blocked_until = now() + interval '59 seconds' where blocked_until is not null`;
    const page = await openOutside(url);
    await page.clock.install();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(personPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Too many attempts\. Retry in \d+ seconds\.$/).waitFor();
    const button = page.getByRole('button', { name: /^Sign in \(in \d+ s\)$/ });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await db`update sign_in_attempts set blocked_until = now() where blocked_until is not null`;
    for (let second = 0; second < 60; second++) await page.clock.runFor(1_000);
    await page.getByText('You can retry now.').waitFor();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.context().close();
  });

  test('a session that ends elsewhere shows the sign-in page without earlier data', async () => {
    const page = await app.open('/devices');
    await page.getByText('No devices yet').waitFor();
    await page.context().request.delete('/v1/session');
    await page.getByText('Your session has ended. Sign in again.').waitFor();
    await page.context().close();
  });

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])(
    'on %s: the first account is created with the one-time link, whose token is removed from the address bar',
    async (_name, size) => {
      const database = await createTestDatabase();
      const dataDir = await mkdtemp(join(tmpdir(), 'earshot-setup-'));
      const config = { ...baseConfig(dataDir, database.url, randomBytes(32)), admin: undefined };
      const node = await startNode(testNodeOptions(config, silentLog));
      try {
        const page = await openOutside(`${node.url}/setup#token=${node.setupToken}`, size);
        await page.getByLabel('Email').fill('ada@example.org');
        expect(page.url()).not.toContain('token');
        await page.getByLabel('Password', { exact: true }).fill('short');
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.locator('.problem', { hasText: 'Password' }).waitFor();
        await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByText('Drop recordings here').waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await page.context().close();
      } finally {
        await node.stop();
        await rm(dataDir, { recursive: true, force: true });
        await database.drop();
      }
    },
  );

  test('a password reset link works once', async () => {
    const { userID, email } = await app.server.addPerson();
    const { resetURL } = await app.server.admin.session.createPasswordReset({ params: { userID } });
    const choose = async (password: string) => {
      const page = await openOutside(new URL(resetURL, app.server.url).href);
      await page.getByLabel('New password').fill(password);
      await page.getByRole('button', { name: 'Set password' }).click();
      return page;
    };
    const page = await choose('quite another phrase');
    await page.getByText('Your password is changed. Sign in with the new one.').waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('quite another phrase');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const second = await choose('and one more phrase');
    await second.getByText('This link has expired or was already used.').waitFor();
    await Promise.all([page.context().close(), second.context().close()]);
  });

  test('the API page is readable without scripts and loads nothing from elsewhere', async () => {
    const context = await app.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${app.server.url}/api`);
    expect(await page.locator('#registerAgent').textContent()).toContain('/v1/agent');
    expect(asked.filter((url) => !url.startsWith(app.server.url))).toEqual([]);
    await context.close();
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
