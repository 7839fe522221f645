import { describe, expect, test } from 'vitest';
import { readTimeout } from './timeout.ts';

describe('a timeout is accepted in every form that clients send', () => {
  test.each<[string | number | undefined, number]>([
    [undefined, 3_600],
    ['', 3_600],
    ['0', 3_600],
    [0, 3_600],
    ['00:00:00', 3_600],
    ['90', 90],
    [90, 90],
    [' 90 ', 90],
    ['00:05:00', 300],
    ['24:00:00', 86_400],
    ['1:02:03', 3_723],
    ['PT5M', 300],
    ['pt90s', 90],
    ['PT1H30M', 5_400],
    ['P1D', 86_400],
    ['P0DT1H', 3_600],
    ['86400', 86_400],
  ])('%s', (given, seconds) => expect(readTimeout(given)).toBe(seconds));
});

describe('anything else is refused', () => {
  test.each<[string | number]>([
    ['86401'],
    [86_401],
    ['24:00:01'],
    ['P2D'],
    ['PT25H'],
    ['-1'],
    [-1],
    [1.5],
    ['1.5'],
    ['00:60:00'],
    ['00:00:60'],
    ['5:00'],
    ['P'],
    ['PT'],
    ['P1DT'],
    ['P1Y'],
    ['PT1.5S'],
    ['soon'],
    ['1e3'],
    [1e21],
    ['NaN'],
  ])('%s', (given) => expect(readTimeout(given)).toBeUndefined());
});
