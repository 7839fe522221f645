import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';
import { readLinkToken, writeLinkToken } from './signed-link.ts';

test('a token is read for its purpose, until its end, and only unchanged', () => {
  const box = createSecretBox(randomBytes(32));
  const token = writeLinkToken(box, 'acknowledge', { subject: '12 3', expiresEpoch: 1_000 });
  expect(readLinkToken(box, 'acknowledge', token, 999_999)).toBe('12 3');
  expect(readLinkToken(box, 'acknowledge', token, 1_000_000)).toBeUndefined();
  expect(readLinkToken(box, 'confirm', token, 1)).toBeUndefined();
  expect(readLinkToken(createSecretBox(randomBytes(32)), 'acknowledge', token, 1)).toBeUndefined();
  const [expires, subject, mac] = token.split('.');
  const other = Buffer.from('12 4').toString('base64url');
  for (const forged of [`${expires}.${other}.${mac}`, `9000.${subject}.${mac}`, `${expires}.${subject}`, '', '..'])
    expect(readLinkToken(box, 'acknowledge', forged, 1)).toBeUndefined();
});
