import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseManifest, pickEvenly } from './corpus.ts';
import { halfOf } from './halves.ts';
import { parseSpeakers } from './non-native.ts';

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

test('all recordings of a speaker are in one half', () => {
  expect(halfOf('LibriSpeech 61')).toBe(halfOf('LibriSpeech 61'));
  const halves = Array.from({ length: 100 }, (_, at) => halfOf(`speaker ${at}`));
  expect(halves.filter((half) => half === 'held-out').length).toBeGreaterThan(35);
  expect(halves.filter((half) => half === 'development').length).toBeGreaterThan(35);
});

test('speechocean762 has one recording of each speaker, with the hash of the file', () => {
  const speakers = parseSpeakers(readFileSync(new URL('speechocean762.tsv', import.meta.url), 'utf8'));
  expect(new Set(speakers.map(({ path }) => path.split('/')[1])).size).toBe(250);
  expect(speakers.filter(({ age }) => age < 18)).toHaveLength(122);
  expect(() => parseSpeakers('path\tage\tsha256\nWAVE/a.WAV\t9\tabc\n')).toThrow('speechocean762.tsv, line 2');
});
