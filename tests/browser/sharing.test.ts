import { personPassword } from '@earshot/server/testing/person';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '@earshot/server/testing/needs';
import type { Console } from './console.ts';
import { startConsole } from './console.ts';
import { phone, wide } from './screens.ts';

describe('people, collections and keys in the console', needs('chromium'), () => {
  let app: Console;
  beforeAll(async () => {
    app = await startConsole();
    await app.server.admin.session.createDevice({ body: { deviceSerial: 'harbour-1', deviceName: 'Harbour' } });
  });
  afterAll(() => app.stop());

  test.each([
    ['a wide screen', 'a phone', wide, phone],
    ['a phone', 'a wide screen', phone, wide],
  ])(
    'a device shared on %s appears on %s of another person, and disappears when it is removed',
    async (name, _their, size, other) => {
      const { email } = await app.server.addPerson({ email: `grace-${size.width}@example.org` });
      const theirs = await app.open('/devices', { email, password: personPassword, size: other });
      await theirs.getByText('No devices yet').waitFor();

      const page = await app.open('/collections', { size });
      await page.getByRole('button', { name: 'Create collection' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(`The quay, from ${name}`);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: `The quay, from ${name}` }).waitFor();
      await page.getByRole('button', { name: 'Add devices' }).click();
      await page.getByRole('dialog').getByLabel('Harbour').check();
      await page.getByRole('button', { name: 'Add 1', exact: true }).click();
      await page.getByRole('link', { name: 'Harbour' }).waitFor();
      await page.getByRole('button', { name: 'Share with people' }).click();
      await page.getByRole('dialog').getByLabel(email).check();
      await page.getByRole('button', { name: 'Add 1', exact: true }).click();

      await theirs.getByRole('link', { name: 'Harbour' }).waitFor();
      await page.getByLabel(`Select ${email}`).check();
      await page.getByRole('button', { name: 'Remove from the collection' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goto('/collections');
      await theirs.getByText('No devices yet').waitFor();
      await Promise.all([page.context().close(), theirs.context().close()]);
    },
  );

  test.each([
    ['a wide screen', wide],
    ['a phone', phone],
  ])('on %s: a key works until it is revoked, and its secret is shown once', async (_name, size) => {
    const page = await app.open('/keys', { size });
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Copy it now').waitFor();
    const [access, secret] = await page.locator('dialog pre').allTextContents();
    const withKey = () =>
      fetch(`${app.server.url}/v1/agenttype/list`, {
        headers: { authorization: `Basic ${Buffer.from(`${access}:${secret}`).toString('base64')}` },
      });
    expect((await withKey()).status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByText('<script>alert(1)</script>').waitFor();
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByText(/is revoked/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(async () => (await withKey()).status).toBe(401);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await page.context().close();
  });

  test('an admin adds a person, who sets a password with the link; a member cannot open the page', async () => {
    const page = await app.open('/people', { size: phone });
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill('lin@example.org');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const link = (await page.locator('dialog pre').textContent()) ?? '';
    expect(link).toContain('/reset#token=');
    await page.goto(link);
    await page.getByLabel('New password').fill('a phrase of my own');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.waitForURL((url) => url.pathname === '/');

    const member = await app.open('/people', { email: 'lin@example.org', password: 'a phrase of my own' });
    await member.getByText('Page not found').waitFor();
    await Promise.all([page.context().close(), member.context().close()]);
  });

  test('no script errors or policy violations occurred', () => {
    expect(app.faults).toEqual([]);
  });
});
