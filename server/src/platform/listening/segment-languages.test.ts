import { expect, test } from 'vitest';
import type { Segment } from './engine.ts';
import { markLanguages, settleLanguage } from './segment-languages.ts';

const spoken = (seconds: number, language?: string): Segment => ({
  startMs: 0,
  endMs: seconds * 1_000,
  text: 'words',
  words: [],
  confidence: 90,
  isLanguageKnown: true,
  ...(language === undefined ? {} : { language }),
});
const languagesOf = (segments: readonly Segment[]) => segments.map(({ language }) => language);

test('a clip has the language of most of its speech', () => {
  const decided = { language: 'zh', isLanguageKnown: true };
  const settled = settleLanguage({ ...decided, segments: [spoken(2), spoken(3, 'en'), spoken(1, 'es')] });
  expect(settled.language).toBe('en');
  expect(languagesOf(settled.segments)).toEqual(['zh', undefined, 'es']);
  expect(settleLanguage({ ...decided, segments: [spoken(3), spoken(3, 'en')] }).language).toBe('zh');
  expect(settleLanguage({ ...decided, segments: [] })).toEqual({ ...decided, segments: [] });
});

test('segments keep their language when that of their clip is another one', () => {
  expect(languagesOf(markLanguages([spoken(1), spoken(1, 'en'), spoken(1, 'es')], 'zh', 'en'))).toEqual([
    'zh',
    undefined,
    'es',
  ]);
});
