import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';

export interface Pushed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A browser with its push service: it decrypts by RFC 8291 what it gets. */
export async function startPushService() {
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

/** Throws unless the message is signed by this key as RFC 8292 defines it, for the push service of this origin and not for long. */
export function requireSigned({ headers }: Pushed, publicKey: string, origin: string): void {
  const [, jwt = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers['authorization'] ?? '') ?? [];
  expect(key).toBe(publicKey);
  const claims = partOf(jwt, 1) as { aud: string; exp: number };
  expect(claims).toMatchObject({ aud: origin, sub: expect.any(String) });
  const now = Date.now() / 1_000;
  expect(claims.exp > now && claims.exp <= now + 24 * 3_600).toBe(true);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' });
  const [signed, signature = ''] = [jwt.slice(0, jwt.lastIndexOf('.')), jwt.split('.')[2]];
  const how = { key: jwk, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(signed), how, Buffer.from(signature, 'base64url'))).toBe(true);
}
