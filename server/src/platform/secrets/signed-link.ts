import { createHmac } from 'node:crypto';
import type { SecretBox } from './secret-box.ts';
import { sameSecret } from './tokens.ts';

/*
 * Tokens of links that are sent to people: what the link is for, until when, and a signature. They are stored nowhere, and
 * who opens one is checked again when it is used.
 */

export interface SignedLink {
  readonly subject: string;
  readonly expiresEpoch: number;
}

const sign = (box: SecretBox, purpose: string, content: string): Buffer =>
  createHmac('sha256', box.derive(`link: ${purpose}`))
    .update(content)
    .digest();

export function writeLinkToken(box: SecretBox, purpose: string, { subject, expiresEpoch }: SignedLink): string {
  const content = `${expiresEpoch}.${Buffer.from(subject).toString('base64url')}`;
  return `${content}.${sign(box, purpose, content).toString('base64url')}`;
}

/** The subject; undefined if the token is not ours, is for something else or has expired. */
export function readLinkToken(box: SecretBox, purpose: string, token: string, nowMs: number): string | undefined {
  const [expires = '', subject = '', mac = ''] = token.split('.');
  const expected = sign(box, purpose, `${expires}.${subject}`);
  if (!sameSecret(Buffer.from(mac, 'base64url'), expected)) return undefined;
  return Number(expires) * 1_000 > nowMs ? Buffer.from(subject, 'base64url').toString() : undefined;
}
