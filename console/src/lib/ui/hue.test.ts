import { expect, test } from 'vitest';
import { hueOf } from './hue.ts';

test('a name has one hue, in any case, and similar names have different ones', () => {
  expect(hueOf('Siren')).toBe(hueOf('siren'));
  const names = Array.from({ length: 60 }, (_, at) => `FIRE ${at}`);
  expect(new Set(names.map(hueOf)).size).toBeGreaterThan(12);
  for (const hue of names.map(hueOf)) expect(hue >= 0 && hue < 360).toBe(true);
});
