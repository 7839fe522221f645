import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox(randomBytes(32));

describe('a sealed secret', () => {
  test('can be opened, whatever its content', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, purpose) => {
        expect(box.open(box.seal(secret, purpose), purpose)).toBe(secret);
      }),
    );
  });

  test('does not reveal its content, and is different each time', () => {
    const sealed = [1, 2].map(() => box.seal('hunter2hunter2', 'test'));
    expect(sealed[0]).not.toEqual(sealed[1]);
    for (const bytes of sealed) expect(bytes.toString('latin1')).not.toContain('hunter2');
  });

  test('opens only for its purpose', () => {
    const sealed = box.seal('secret', 'api key A');
    for (const purpose of ['api key B', '', 'api key A ', 'API KEY A'])
      expect(() => box.open(sealed, purpose)).toThrow();
  });

  test('opens only with its key', () => {
    const sealed = box.seal('secret', 'test');
    expect(() => createSecretBox(randomBytes(32)).open(sealed, 'test')).toThrow();
  });

  test('opens only unmodified: no bit changed, no byte removed or added', () => {
    const sealed = box.seal('secret', 'test');
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => box.open(changed, 'test')).toThrow();
      expect(() => box.open(sealed.subarray(0, at), 'test')).toThrow();
    }
    expect(() => box.open(Buffer.concat([sealed, Buffer.of(0)]), 'test')).toThrow();
  });

  test('of a later version is recognised', () => {
    const sealed = box.seal('secret', 'test');
    sealed[0] = 2;
    expect(() => box.open(sealed, 'test')).toThrow('a format that this version does not know');
  });
});

test('a key has 32 bytes', () => {
  for (const length of [0, 16, 31, 33]) expect(() => createSecretBox(Buffer.alloc(length))).toThrow('32 bytes');
});
