import { expect, test } from 'vitest';
import { parseManifest, pickEvenly } from './corpus.ts';

test('a manifest lists file, source, language and words', () => {
  const text =
    'file\tsource\tlanguage\twords\nen/a.flac\tLibriSpeech 61\ten\tgood morning \nsounds/b.ogg\tfield\tnone\ttrumpet\n\n';
  expect(parseManifest(text)).toEqual([
    { file: 'en/a.flac', source: 'LibriSpeech 61', language: 'en', said: 'good morning' },
    { file: 'sounds/b.ogg', source: 'field', language: 'none', said: 'trumpet' },
  ]);
});

test('an incomplete line is named', () => {
  expect(() => parseManifest('file\tsource\tlanguage\twords\nen/a.flac LibriSpeech')).toThrow('manifest.tsv, line 2');
});

test('some clips are spread over the whole list', () => {
  expect(pickEvenly([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 4)).toEqual([0, 2, 5, 7]);
  expect(pickEvenly([1, 2], 4)).toEqual([1, 2]);
});
