import { randomUUID } from 'node:crypto';
import type { Person } from '@earshot/server/testing/person';
import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { realEngine } from '../../server/src/features/caption/tests/captioning.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { Gateway } from '../field/gateway-requests.ts';
import { gateways, sendTo } from '../field/gateway-requests.ts';
import { basic } from './ask.ts';
import { expiredSession } from './caller.ts';

/*
 * The rows of the access table for gateways. Their only credential is an upload key, so the other credentials of the
 * table must count as none, also those of an admin.
 */

let server: TestServer;
let owner: Person;
let other: Person;
beforeAll(async () => {
  server = await startTestServer({ captions: realEngine }, { engines: createTestEars() });
  [owner, other] = await Promise.all([server.addPerson(), server.addPerson()]);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.db`delete from sign_in_attempts`;
});

type Headers = Readonly<Record<string, string>>;
interface Shown {
  readonly key: string;
  readonly headers?: Headers;
}

async function uploadKey(person: Person, transcribe = true) {
  const { key: uploadKeyID = 0, secret = '' } = await person.session.createUploadKey({ body: { transcribe } });
  return { uploadKeyID, secret };
}

const apiKey = async (person: Person, deviceID?: number): Promise<Headers> => {
  const { credential } = await person.withKey(deviceID === undefined ? {} : { deviceID });
  return basic(credential.accessKey, credential.secretKey);
};

/** None of these opens a gateway. */
const refused: Readonly<Record<string, () => Promise<Shown>>> = {
  'without credentials': async () => ({ key: '' }),
  'with a wrong key': async () => ({ key: randomUUID() }),
  'in a session of an admin': async () => ({ key: '', headers: { cookie: server.admin.cookie } }),
  'in an expired session': async () => ({
    key: '',
    headers: await expiredSession(server, owner.email, personPassword),
  }),
  'with an API key': async () => ({ key: '', headers: await apiKey(owner) }),
  'with the API key of an admin': async () => ({ key: '', headers: await apiKey(server.admin) }),
  'with the secret of an API key as the upload key': async () => ({
    key: (await owner.withKey()).credential.secretKey,
  }),
  'with the key of a device': async () => {
    const device = await owner.session.createDevice({ body: { deviceSerial: randomUUID() } });
    return { key: '', headers: await apiKey(owner, device.key) };
  },
  'with a deleted upload key': async () => {
    const { uploadKeyID, secret } = await uploadKey(owner);
    await owner.session.deleteUploadKey({ params: { uploadKeyID } });
    return { key: secret };
  },
  'with a replaced secret': async () => {
    const { uploadKeyID, secret } = await uploadKey(owner);
    await owner.session.replaceUploadSecret({ params: { uploadKeyID }, body: {} });
    return { key: secret };
  },
  'with the upload key of a disabled person': async () => {
    const gone = await server.addPerson();
    const { secret } = await uploadKey(gone);
    await server.admin.session.updateUser({ params: { userID: gone.userID }, body: { disabled: true } });
    return { key: secret };
  },
};

let lastStart = Math.floor(Date.now() / 1000) - 40_000;
const callWith = (key: string) => ({ key, sound: tinyWav(1.5), startTime: (lastStart += 10), talkgroup: 4521 });
const send = (gateway: Gateway, { key, headers }: Shown) => sendTo(gateway, server.url, callWith(key), headers);

async function clipsOf(person: Person): Promise<number> {
  return (await person.session.listAudioClipPage({ body: { count: 1000 } })).results.length;
}

const countFiles = async () => (await server.db`select 1 from files`).length;

describe.each(gateways)('$name', (gateway) => {
  const refusal = 401 in gateway.answers ? 401 : 403;
  const stores = gateway.name.startsWith('upload');

  test.each(Object.entries(refused))(`%s: ${refusal}, and nothing is stored`, async (_title, show) => {
    const shown = await show();
    const files = await countFiles();
    expect((await send(gateway, shown)).status).toBe(refusal);
    expect(await countFiles()).toBe(files);
  });

  test('with an upload key: success, for its owner alone', async () => {
    const { secret } = await uploadKey(owner);
    const before = { owner: await clipsOf(owner), other: await clipsOf(other) };
    expect((await send(gateway, { key: secret })).status).toBe(200);
    expect(await clipsOf(owner)).toBe(before.owner + (stores ? 1 : 0));
    expect(await clipsOf(other)).toBe(before.other);
  });

  test('the upload key of another person stores nothing on the devices of the first', async () => {
    const [first, second] = [await uploadKey(owner), await uploadKey(other)];
    expect((await send(gateway, { key: first.secret })).status).toBe(200);
    const before = await clipsOf(owner);
    expect((await send(gateway, { key: second.secret })).status).toBe(200);
    expect(await clipsOf(owner)).toBe(before);
  });

  test('with an upload key beside a session from another site: the key decides', async () => {
    const { secret } = await uploadKey(owner);
    const headers = { cookie: other.cookie, origin: 'https://elsewhere.example' };
    const before = { owner: await clipsOf(owner), other: await clipsOf(other) };
    expect((await send(gateway, { key: secret, headers })).status).toBe(200);
    expect(await clipsOf(owner)).toBe(before.owner + (stores ? 1 : 0));
    expect(await clipsOf(other)).toBe(before.other);
  });

  test('with an upload key that may not transcribe', async () => {
    const { secret } = await uploadKey(owner, false);
    expect((await send(gateway, { key: secret })).status).toBe(gateway.transcribes ? 403 : 200);
  });
});
