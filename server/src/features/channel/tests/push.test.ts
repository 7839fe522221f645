import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { createChannelScene, startChannelServer } from './scene.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startChannelServer();
});
afterAll(() => server.stop());

interface Pushed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A browser with its push service: it decrypts by RFC 8291 what it gets. */
async function startBrowser() {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys();
  const auth = randomBytes(16);
  const pushed: Pushed[] = [];
  let status = 201;
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    pushed.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(pieces) });
    response.writeHead(status).end();
  };
  const service = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => service.close(() => resolve())));
  const derive = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array | string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
  const decrypt = ({ body }: Pushed): Record<string, unknown> => {
    const [salt, size, length] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)];
    expect([size, length]).toEqual([4_096, 65]);
    const [theirs, sealed] = [body.subarray(21, 86), body.subarray(86)];
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, theirs]);
    const secret = derive(pair.computeSecret(theirs), auth, info, 32);
    const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
    const opened = createDecipheriv('aes-128-gcm', key, derive(secret, salt, 'Content-Encoding: nonce\0', 12));
    opened.setAuthTag(sealed.subarray(-16));
    const text = Buffer.concat([opened.update(sealed.subarray(0, -16)), opened.final()]);
    expect(text.at(-1)).toBe(2);
    return JSON.parse(text.subarray(0, -1).toString()) as Record<string, unknown>;
  };
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const settings = {
    url: `${origin}/push/abc`,
    p256dh: p256dh.toString('base64url'),
    auth: auth.toString('base64url'),
  };
  return { settings, origin, pushed, decrypt, answer: (next: number) => (status = next) };
}

const partOf = (jwt: string, place: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(jwt.split('.')[place] ?? '', 'base64url').toString()) as Record<string, unknown>;

test('a browser is told with a payload that only it can read, signed by the key that it subscribed with', async () => {
  const { client, addDevice, addFireRule, sayFire, settled, person } = await createChannelScene(server);
  const browser = await startBrowser();
  const device = await addDevice();
  const { key: channel = 0 } = await client.createChannel({
    body: { channelName: 'Phone', kind: 'push', settings: browser.settings },
  });
  expect(await client.getChannel({ params: { channelID: channel } })).toMatchObject({
    settings: { p256dh: browser.settings.p256dh },
    secretsSet: ['url', 'auth'],
  });
  await addFireRule(channel, true);
  await sayFire(device, 2, `fire ${'and smoke '.repeat(500)}`);
  const [delivery] = await settled(channel);
  expect(delivery).toMatchObject({ state: 'delivered', lastStatus: 201 });
  const [message] = browser.pushed;
  expect(message!.body.length).toBeLessThanOrEqual(3 * 1_024);
  const content = browser.decrypt(message!);
  expect(content).toMatchObject({
    title: expect.stringMatching(/^Fire: /),
    body: expect.stringContaining('and smoke'),
    tag: `alert-${delivery?.alertID}`,
    path: `/alerts/${delivery?.alertID}`,
  });
  const { publicKey } = await client.getPushKey();
  const [, jwt = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(message!.headers['authorization'] ?? '') ?? [];
  expect(key).toBe(publicKey);
  const claims = partOf(jwt, 1) as { aud: string; exp: number };
  expect(claims).toMatchObject({ aud: browser.origin, sub: expect.any(String) });
  const now = Date.now() / 1_000;
  expect(claims.exp > now && claims.exp <= now + 24 * 3_600).toBe(true);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const [signed, signature = ''] = [jwt.slice(0, jwt.lastIndexOf('.')), jwt.split('.')[2]];
  const how = { key: jwk, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(signed), how, Buffer.from(signature, 'base64url'))).toBe(true);
  // Its button acknowledges as the person.
  const response = await fetch(`${server.url}/v1/alert/acknowledge`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: content['acknowledgeToken'] }),
  });
  expect(response.status).toBe(200);
  const alert = await client.getRuleAlert({ params: { alertID: delivery?.alertID ?? 0 } });
  expect(alert).toMatchObject({ state: 'acknowledged', stateBy: person.userID });
});

test.each([404, 410])('a subscription that ended (%i) is switched off', async (status) => {
  const { client, addDevice, addFireRule, sayFire, settled } = await createChannelScene(server);
  const browser = await startBrowser();
  const device = await addDevice();
  const { key: channelID = 0 } = await client.createChannel({
    body: { channelName: 'Phone', kind: 'push', settings: browser.settings },
  });
  await addFireRule(channelID);
  browser.answer(status);
  await sayFire(device, 3);
  expect(await settled(channelID)).toMatchObject([{ state: 'failed', attempts: 1, lastStatus: status }]);
  expect(await client.getChannel({ params: { channelID } })).toMatchObject({ isEnabled: false, state: 'disabled' });
  await sayFire(device, 2);
  expect(await settled(channelID)).toHaveLength(1);
});

test('keys that are no keys are refused', async () => {
  const { client } = await createChannelScene(server);
  const { settings } = await startBrowser();
  for (const wrong of [{ p256dh: 'AAAA' }, { auth: 'AAAA' }, { p256dh: settings.auth }]) {
    const body = { channelName: 'Phone', kind: 'push' as const, settings: { ...settings, ...wrong } };
    await expect(client.createChannel({ body })).rejects.toMatchObject({ status: 400 });
  }
});
