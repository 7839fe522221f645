import { expect, test } from 'vitest';
import { listNames, offeredLanguages, tagOf } from './languages.ts';

test('a language is named by its name or its tag', () => {
  expect([tagOf(' swedish '), tagOf('pt-BR'), tagOf('eo')]).toEqual(['sv', 'pt-BR', 'eo']);
});

test('languages are listed by their names', () => {
  expect(listNames(['en', 'pt-BR', 'sv'])).toBe('English, Brazilian Portuguese, and Swedish');
  expect(offeredLanguages.every(({ tag, name }) => tag !== name)).toBe(true);
});
