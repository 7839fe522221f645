import { createHmac } from 'node:crypto';

export interface SignedExample {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly secretKey: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly textToSign: string;
}

/** A complete signed request, computed here so that the page shows correct values. */
export function signExample(): SignedExample {
  const accessKey = 'EXAMPLEACCESSKEY';
  const secretKey = 'example-secret-key-never-use-it';
  const method = 'POST';
  const path = '/v1/device/list';
  const body = '{"count":20}';
  const signed = {
    Authorization: `HMAC-SHA256 ${accessKey}`,
    'X-AccessKey': accessKey,
    'X-Nonce': '7c0b5d5e-3f0a-4b7e-9a53-2f6f8f0c1d2e',
    'X-Timestamp': '1794705000',
  };
  const headerLines = Object.entries(signed).map(([name, value]) => `${name}: ${value}`);
  const queryLines: string[] = [];
  const textToSign = [method, path, headerLines.join('\n'), queryLines.join('\n'), body].join('\n').trim();
  const signature = createHmac('sha256', secretKey).update(textToSign).digest('hex');
  return { method, path, body, secretKey, headers: { ...signed, 'X-Signature': signature }, textToSign };
}
