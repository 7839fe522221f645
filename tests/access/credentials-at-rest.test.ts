import { randomUUID } from 'node:crypto';
import { operations } from '@earshot/contract/operations';
import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { adminPassword, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from './ask.ts';
import type { Secret } from './clear-secrets.ts';
import { findInClear, readWholeDatabase } from './clear-secrets.ts';
import { addDevice } from './places.ts';

let server: TestServer;
let secrets: readonly Secret[];
beforeAll(async () => {
  server = await startTestServer();
  secrets = await makeSecrets();
});
afterAll(() => server.stop());

/** One secret of every kind that the service issues or accepts, each used once. */
async function makeSecrets(): Promise<readonly Secret[]> {
  const person = await server.addPerson();
  const device = await addDevice(person);
  const [plain, signing, ofDevice] = [
    await person.withKey(),
    await person.withKey({ signed: true }),
    await person.withKey({ deviceID: device.key }),
  ];
  for (const { client } of [plain, signing, ofDevice]) await client.listDevices({ body: {} });
  const channelSecrets = { url: `https://told.invalid/?key=${randomUUID()}`, token: `channel-${randomUUID()}` };
  const { key: channelID = 0 } = await person.session.createChannel({
    body: { channelName: 'Told', kind: 'gotify', settings: channelSecrets },
  });
  await person.session.testChannel({ params: { channelID } });
  const { postbackSecret } = await person.session.getPostbackSecret();
  const rotated = await person.session.rotatePostbackSecret();
  const { token } = await server.admin.session.createPasswordReset({ params: { userID: person.userID } });
  await ask(server.url, 'POST', '/v1/session', {
    body: { email: person.email, password: 'a wrong but telling guess' },
  });
  return [
    { name: 'the session token', secret: person.cookie.slice(person.cookie.indexOf('=') + 1) },
    { name: 'the password', secret: personPassword },
    { name: 'the admin’s password', secret: adminPassword },
    { name: 'the guessed password', secret: 'a wrong but telling guess' },
    { name: 'the secret of a key', secret: plain.credential.secretKey },
    { name: 'the secret of a key that signs', secret: signing.credential.secretKey },
    { name: 'the secret of a device key', secret: ofDevice.credential.secretKey },
    { name: 'the postback secret', secret: rotated.postbackSecret },
    { name: 'the former postback secret', secret: postbackSecret },
    { name: 'the key within the postback secret', secret: rotated.postbackSecret.replace('whsec_', '') },
    { name: 'the password reset token', secret: token },
    { name: 'the token of a channel', secret: channelSecrets.token },
    { name: 'the address of a channel', secret: channelSecrets.url },
  ];
}

test('the database contains no secret, password or token unencrypted', async () => {
  expect(secrets.filter(({ secret }) => secret.length < 16)).toEqual([]);
  expect(findInClear(secrets, await readWholeDatabase(server))).toEqual([]);
});

test('the log contains no secret, password or token', async () => {
  const texts = server.log.lines.map((line) => ({ place: line.message, text: JSON.stringify(line) }));
  expect(texts.some(({ text }) => text.includes(operations.createSession.path))).toBe(true);
  expect(findInClear(secrets, texts)).toEqual([]);
});

test('the check of this test finds a secret in text, in bytes and encoded', async () => {
  const [first] = secrets;
  const { secret = '' } = first ?? {};
  const found = async (value: string | Buffer) => {
    const column = typeof value === 'string' ? server.db`device_description` : server.db`secret_key`;
    const table = typeof value === 'string' ? server.db`devices` : server.db`api_keys`;
    const before = await server.db<
      { key: number; kept: string | Buffer }[]
    >`select key, ${column} as kept from ${table} limit 1`;
    await server.db`update ${table} set ${column} = ${value} where key = ${before[0]!.key}`;
    const places = findInClear(secrets, await readWholeDatabase(server));
    await server.db`update ${table} set ${column} = ${before[0]!.kept} where key = ${before[0]!.key}`;
    return places;
  };
  expect(await found(`token=${secret};`)).toEqual(['the session token in public.devices']);
  expect(await found(Buffer.from(secret).toString('base64'))).toEqual(['the session token in public.devices']);
  expect(await found(Buffer.from(secret))).toEqual(['the session token in public.api_keys']);
  expect(await found(Buffer.from(secret, 'base64url'))).toEqual(['the session token in public.api_keys']);
});
