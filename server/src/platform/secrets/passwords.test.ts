import { describe, expect, test } from 'vitest';
import { createPasswords } from './passwords.ts';

const passwords = await createPasswords();

describe('a password', () => {
  test('matches its hash, and only its own', async () => {
    const hash = await passwords.hash('correct horse');
    expect(await passwords.matches('correct horse', hash)).toBe(true);
    for (const other of ['correct horse ', 'Correct horse', '', 'x'.repeat(1_024)]) {
      expect(await passwords.matches(other, hash)).toBe(false);
    }
  });

  test('is kept as a salted Argon2id hash', async () => {
    const hashes = [await passwords.hash('same'), await passwords.hash('same')];
    expect(hashes[0]).not.toBe(hashes[1]);
    expect(hashes[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('may be any Unicode', async () => {
    const hash = await passwords.hash('🎙 é \u0000 שלום');
    expect(await passwords.matches('🎙 é \u0000 שלום', hash)).toBe(true);
    expect(await passwords.matches('🎙 é', hash)).toBe(false);
  });

  test('of an unknown user matches nothing, not even the placeholder', async () => {
    expect(await passwords.matches('nobody has this password', undefined)).toBe(false);
  });
});

test('more at once than can wait are put off, and those who wait are served', async () => {
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

test('known people are served before any stranger who waits, and have a line of their own', async () => {
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
  // Two strangers were at it when the others came; places are handed on one by one.
  expect(served.lastIndexOf('known')).toBeLessThan(8);
});
