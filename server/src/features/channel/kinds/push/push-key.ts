import type { KeyObject } from 'node:crypto';
import { createECDH, createPrivateKey, sign } from 'node:crypto';
import type { SecretBox } from '../../../../platform/secrets/secret-box.ts';

/** The key by which push services recognise this installation (VAPID, RFC 8292). */
export interface PushKey {
  /** Uncompressed point, base64url. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** Derived, so that it is in no row, and the same on every node. Nearly every 256 bits are a key of the curve. */
export function derivePushKey(box: SecretBox): PushKey {
  for (let round = 0; ; round += 1) {
    const secret = box.derive(`web push ${round}`);
    const pair = createECDH('prime256v1');
    try {
      pair.setPrivateKey(secret);
    } catch {
      continue;
    }
    const point = pair.getPublicKey();
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const jwk = { kty: 'EC', crv: 'P-256', d: secret.toString('base64url'), x: x!, y: y! };
    return {
      publicKey: point.toString('base64url'),
      privateKey: createPrivateKey({ key: jwk, format: 'jwk' }),
    };
  }
}

const validSeconds = 12 * 3_600;
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The header `Authorization` of a call to the push service at this address. */
export function vapidHeader(
  { publicKey, privateKey }: PushKey,
  endpoint: string,
  subject: string,
  epoch: number,
): string {
  const claims = { aud: new URL(endpoint).origin, exp: epoch + validSeconds, sub: subject };
  const content = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${content}.${signature.toString('base64url')}, k=${publicKey}`;
}
