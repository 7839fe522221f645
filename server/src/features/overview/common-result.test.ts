import { expect, test } from 'vitest';
import { commonResult } from './common-result.ts';

test.each([
  [['no power'], 'no power'],
  [['microphone 292 not found', 'microphone 296 not found'], 'microphone … not found'],
  [['port 443: timeout after 1.5 s', 'port 443: timeout after 22.75 s'], 'port 443: timeout after … s'],
  [['at 04:05:06 on 1', 'at 14:15:16 on 1', 'at 04:05:06 on 2'], 'at … on …'],
  [[''], ''],
])('%j have %j in common', (results, text) => {
  expect(commonResult(results)).toBe(text);
});
