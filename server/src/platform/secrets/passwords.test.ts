import { describe, expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

const passwords = await createPasswords();

describe('a password', () => {
  test('matches only its own hash', async () => {
    const hash = await passwords.hash('correct horse');
    expect(await passwords.matches('correct horse', hash)).toBe(true);
    for (const other of ['correct horse ', 'Correct horse', '', 'x'.repeat(1_024)]) {
      expect(await passwords.matches(other, hash)).toBe(false);
    }
  });

  test('is stored as a salted Argon2id hash', async () => {
    const hashes = [await passwords.hash('same'), await passwords.hash('same')];
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(hashes[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('may contain any Unicode characters', async () => {
    const hash = await passwords.hash('🎙 é \u0000 שלום');
    expect(await passwords.matches('🎙 é \u0000 שלום', hash)).toBe(true);
    expect(await passwords.matches('🎙 é', hash)).toBe(false);
  });

  test('of an unknown user matches nothing, not even the placeholder', async () => {
    expect(await passwords.matches('nobody has this password', undefined)).toBe(false);
  });
});

test('requests beyond the queue are refused, and waiting ones are served', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 80 }, () =>
      passwords.matches('x', undefined).catch((error: { code: string; headers: Record<string, string> }) => error),
    ),
  );
  const refused = outcomes.filter((outcome) => typeof outcome === 'object');
  expect(refused).toHaveLength(80 - 66);
  for (const refusal of refused)
    expect(refusal).toMatchObject({ code: 'unavailable', headers: { 'retry-after': '2' } });
  expect(await passwords.matches('x', undefined)).toBe(false);
});

test('known users are served before waiting unknown callers, and have a queue of their own', async () => {
  const order: string[] = [];
  const check = (line: 'known' | 'stranger') =>
    passwords.matches('x', undefined, line).then(
      () => order.push(line),
      () => order.push(`${line} refused`),
    );
  const strangers = Array.from({ length: 70 }, () => check('stranger'));
  const known = Array.from({ length: 3 }, () => check('known'));
  await Promise.all([...strangers, ...known]);
  expect(order.filter((line) => line === 'stranger refused')).toHaveLength(4);
  expect(order).not.toContain('known refused');
  const served = order.filter((line) => !line.endsWith('refused'));
  // Two unknown callers were running when the others arrived; slots are passed on one by one.
  expect(served.lastIndexOf('known')).toBeLessThan(8);
});
