import { expect, test } from 'vitest';
import { languageOfText } from './written-language.ts';

test.each([
  ['good morning everybody', 'zh', 'en'],
  ['good morning everybody', 'en', 'en'],
  ['buenos días', 'es', 'es'],
  ['我们去公园', 'en', 'zh'],
  ['我们去公园', 'yue', 'yue'],
  ['こんにちは、元気', 'en', 'ja'],
  ['доброе утро', 'en', 'ru'],
  ['добрий ранок', 'uk', 'uk'],
  ['dobro jutro', 'sr', 'sr'],
  ['123 ...', 'th', 'th'],
])('%s, written as %s, is %s', (text, given, language) => {
  expect(languageOfText(text, given)).toBe(language);
});
