import { expect, test } from 'vitest';
import { hashToken, newToken, sameSecret } from './tokens.ts';

test('tokens have 256 bits, need no escaping, and do not repeat', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(new Set(tokens).size).toBe(1_000);
});

test('a token is looked up by its hash, which does not reveal it', () => {
  const token = newToken();
  expect(hashToken(token)).toEqual(hashToken(token));
  expect(hashToken(token)).toHaveLength(32);
  expect(hashToken(token)).not.toEqual(hashToken(newToken()));
});

test('secrets of any length are equal only if identical', () => {
  const bytes = (text: string) => Buffer.from(text);
  expect(sameSecret(bytes('secret'), bytes('secret'))).toBe(true);
  for (const other of ['', 'secre', 'secrets', 'Secret', 'secreu']) {
    expect(sameSecret(bytes(other), bytes('secret'))).toBe(false);
  }
  expect(sameSecret(bytes(''), bytes(''))).toBe(true);
});
