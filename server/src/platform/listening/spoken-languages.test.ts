import { expect, test } from 'vitest';
import { anyLanguage, chooseLanguage } from './spoken-languages.ts';

const choose = (probabilities: Readonly<Record<string, number>>, spoken = anyLanguage, expected = 'en') =>
  chooseLanguage(new Map(Object.entries(probabilities)), spoken, expected).language;

test('a rare language needs far more evidence than a common one', () => {
  expect(choose({ en: 0.04, es: 0.96 })).toBe('es');
  expect(choose({ en: 0.06, es: 0.94 })).toBe('en');
  expect(choose({ en: 0.04, br: 0.96 })).toBe('en');
  expect(choose({ en: 0.001, br: 0.999 })).toBe('br');
});

test('recent languages of the device are likelier than others', () => {
  const english = { languages: [], recent: { en: 20 } };
  expect(choose({ en: 0.02, zh: 0.98 }, english)).toBe('en');
  expect(choose({ en: 0.001, zh: 0.999 }, english)).toBe('zh');
  expect(choose({ en: 0.02, zh: 0.98 }, { languages: [], recent: { en: 20, zh: 20 } })).toBe('zh');
  expect(choose({ en: 0.3, es: 0.7 }, { languages: [], recent: { es: 20 } })).toBe('es');
});

test('only languages that were set are chosen', () => {
  expect(choose({ en: 0.01, zh: 0.9, es: 0.09 }, { languages: ['en', 'es'], recent: {} })).toBe('es');
  expect(choose({ en: 0.01, zh: 0.99 }, { languages: ['en'], recent: {} })).toBe('en');
  expect(choose({ en: 0.9, de: 0.06, fr: 0.04 }, { languages: ['de', 'fr'], recent: {} })).toBe('de');
  expect(choose({ en: 0.9, de: 0.1 }, { languages: ['xx'], recent: {} })).toBe('xx');
});
