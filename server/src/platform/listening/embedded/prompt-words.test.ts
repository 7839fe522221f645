import { expect, test } from 'vitest';
import { rareWordsOf } from './prompt-words.ts';

test('only the rare words of a prompt are used, as they are written', () => {
  expect(rareWordsOf('Engine 51 is responding to Schuylkill Avenue, the patient is breathing. Okeechobee!')).toEqual([
    'Schuylkill',
    'Okeechobee',
  ]);
  expect(rareWordsOf('He said that she had been stopping at the house.')).toEqual([]);
});

test('each of them once, and a bounded number', () => {
  expect(rareWordsOf('Kowalczyk, kowalczyk and KOWALCZYK')).toEqual(['Kowalczyk']);
  const names = Array.from(
    { length: 500 },
    (_, at) => `Xyqu${String.fromCharCode(97 + (at % 26))}${'vw'.repeat(at % 19)}k`,
  );
  expect(rareWordsOf(names.join(' '))).toHaveLength(50);
});

test.each(['', ' \n ', '10-4, 51; !!', '\u0000\uD800', 'a'.repeat(1_000_000), '🚒🚒🚒'])(
  'any text is a prompt',
  (prompt) => {
    expect(rareWordsOf(prompt)).toEqual([]);
  },
);
