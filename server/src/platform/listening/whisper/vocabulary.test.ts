import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isSpaced, loadVocabulary } from './vocabulary.ts';

/** A vocabulary of all bytes and some pairs, in the order of their ids. */
async function open(...pairs: string[]) {
  const signs = Array.from({ length: 256 }, (_, byte) => byte).map((byte) => {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return { byte, isVisible };
  });
  let moved = 256;
  const bytes = signs.map(({ byte, isVisible }) => String.fromCharCode(isVisible ? byte : moved++));
  const folder = await mkdtemp(join(tmpdir(), 'earshot-vocabulary-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const ids = Object.fromEntries([...bytes, ...pairs].map((piece, id) => [piece, id]));
  await writeFile(join(folder, 'vocab.json'), JSON.stringify(ids));
  const vocabulary = await loadVocabulary(folder);
  const { terms } = vocabulary;
  const pieceOf = new Map(Object.entries(ids).map(([piece, id]) => [id, piece]));
  const spell = (text: string) => terms.encode(text).map((id) => pieceOf.get(id));
  const rewrite = (text: string) =>
    vocabulary
      .write(
        terms.encode(text).map((id) => ({ id, logProbability: 0 })),
        'en',
      )
      .map((word) => word.text);
  return { terms, ids, spell, rewrite };
}

test('the pair with the lowest id is joined first', async () => {
  const { spell } = await open('we', 'es', 'Ġk', 'wes', 'Ġkes');
  expect(spell('keswes')).toEqual(['Ġkes', 'wes']);
  const other = await open('sw', 'es', 'Ġk', 'Ġkes');
  expect(other.spell('keswes')).toEqual(['Ġk', 'e', 'sw', 'es']);
});

test('a term begins with a space, words and signs are not joined, and any text can be written', async () => {
  const { spell, rewrite } = await open('Ġk', '96', 'e-', 'Ġ9', 'Ġ96');
  expect(spell('ke-96')).toEqual(['Ġk', 'e', '-', '96']);
  expect(rewrite('Zürich 東京 Engine 96')).toEqual(['Zürich', '東京', 'Engine', '96']);
});

test('a word ends before a space, a sign or a control token, not within it', async () => {
  const { terms, ids } = await open('Ġk', 'es', 'Ã¼');
  expect(['Ġ', 'Ġk', ',', '-'].every((piece) => terms.endsWord(ids[piece]!))).toBe(true);
  // A part of a character, and characters of other alphabets, belong to the word.
  expect(['k', 'es', '9', 'Ã¼', 'Ã', '¼'].some((piece) => terms.endsWord(ids[piece]!))).toBe(false);
  expect(terms.endsWord(Object.keys(ids).length)).toBe(true);
});

test('some languages are written without spaces', () => {
  expect([isSpaced('en'), isSpaced('ja')]).toEqual([true, false]);
});
