import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signExample } from './signed-example.ts';

test('the signed example follows the canonical form', () => {
  const { headers, secretKey, textToSign } = signExample();
  const expected = [
    'POST',
    '/v1/device/list',
    'Authorization: HMAC-SHA256 EXAMPLEACCESSKEY',
    'X-AccessKey: EXAMPLEACCESSKEY',
    `X-Nonce: ${headers['X-Nonce']}`,
    `X-Timestamp: ${headers['X-Timestamp']}`,
    '',
    '{"count":20}',
  ].join('\n');
  expect(textToSign).toBe(expected);
  expect(headers['X-Signature']).toBe(createHmac('sha256', secretKey).update(expected).digest('hex'));
});
