import { expect, test } from 'vitest';
import { cutWav } from './players.ts';
import { makeWav } from './testing/make-wav.ts';

test('a WAV is cut at a time, for players that cannot seek', () => {
  const wav = makeWav(2);
  const cut = cutWav(wav, 1.5)!;
  expect(cut.length).toBe(44 + 8_000);
  expect(cut.readUInt32LE(40)).toBe(8_000);
  expect(cut.readUInt32LE(4)).toBe(cut.length - 8);
  expect(cut.subarray(44)).toEqual(wav.subarray(44 + 24_000));
  expect(cutWav(wav, 99)!.length).toBe(44);
  expect(cutWav(Buffer.from('no wav'), 1)).toBeUndefined();
});
