import { expect, test } from 'vitest';
import { cutWords } from '../../../platform/listening/cut-words.ts';
import type { Word } from '../../../platform/listening/engine.ts';
import { writeSrt, writeVtt } from './formats.ts';

const spoken = (...texts: string[]): Word[] =>
  texts.map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400, confidence: 90 }));

test('a transcript without words is a valid file without cues', () => {
  expect(writeVtt({ segments: [] })).toBe('WEBVTT\n');
  expect(writeSrt({ segments: [] })).toBe('');
});

test('speech without words has a cue that says so, with the name of a language that is not supported', () => {
  const unheard = { startMs: 0, endMs: 900, text: '', words: [], confidence: 0, isLanguageKnown: true };
  const segments = [
    { ...unheard, isUnderstood: false },
    { ...unheard, startMs: 1_000, endMs: 1_900, isLanguageKnown: false, language: 'es' },
    { ...unheard, startMs: 2_000, endMs: 2_900, isLanguageKnown: false },
  ];
  expect(writeSrt({ segments })).toBe(
    '1\n00:00:00,000 --> 00:00:00,900\n[not understood]\n\n' +
      '2\n00:00:01,000 --> 00:00:01,900\n[Spanish, not transcribed]\n\n' +
      '3\n00:00:02,000 --> 00:00:02,900\n[not understood]\n',
  );
  // The language of the clip, if most of it is in that language.
  expect(writeVtt({ segments, language: 'de' })).toContain('00:00:02.900\n[German, not transcribed]\n');
});

test('doubtful words have a class in WebVTT, also in captions from before the mark existed', () => {
  const words = [
    { text: 'Box', startMs: 0, endMs: 400, confidence: 90 },
    { text: '<alarm>', startMs: 500, endMs: 900, confidence: 95, isDoubtful: true },
    { text: 'now', startMs: 900, endMs: 1_000, confidence: 20, isDoubtful: false },
    { text: 'here.', startMs: 1_000, endMs: 1_200, confidence: 20 },
  ];
  const segments = [{ startMs: 0, endMs: 1_200, text: 'x', words, confidence: 50, isLanguageKnown: true }];
  expect(writeVtt({ segments })).toContain('\nBox <c.doubtful>&lt;alarm&gt;</c> now <c.doubtful>here.</c>\n');
  // For programs that expect WebVTT as other servers write it.
  expect(writeVtt({ segments }, { marksDoubt: false })).toContain('\nBox &lt;alarm&gt; now here.\n');
  expect(writeSrt({ segments })).toContain('\nBox ‹alarm› now here.\n');
});

test('each sentence is a cue with the time of its words', () => {
  const segments = cutWords(spoken('Good', 'morning.', 'Who', 'goes', 'there?'));
  expect(writeVtt({ segments })).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nGood morning.\n\n00:00:01.000 --> 00:00:02.400\nWho goes there?\n',
  );
  expect(writeSrt({ segments })).toBe(
    '1\n00:00:00,000 --> 00:00:00,900\nGood morning.\n\n2\n00:00:01,000 --> 00:00:02,400\nWho goes there?\n',
  );
});

test('times beyond 24 hours are written, and a cue without a duration is shown briefly', () => {
  const late = { text: 'late', startMs: 86_399_999, endMs: 86_399_999, confidence: 1 };
  expect(writeVtt({ segments: cutWords([{ ...late, confidence: 90 }]) })).toContain(
    '23:59:59.999 --> 24:00:00.009\nlate\n',
  );
});

test('at most two lines of 42 characters are shown at once, each in the time of its words', () => {
  const segments = cutWords(spoken(...Array.from({ length: 24 }, () => 'abcdefghi')));
  const cues = writeVtt({ segments }).trim().split('\n\n').slice(1);
  expect(cues).toHaveLength(3);
  const word = 'abcdefghi';
  const line = [word, word, word, word].join(' ');
  expect(cues[1]).toBe(`00:00:04.000 --> 00:00:07.900\n${line}\n${line}`);
});

test('words cannot break out of their line, become a time line or a tag', () => {
  const segments = cutWords(
    spoken('a\r\n\r\n00:00:09.000', '-->', '00:00:10.000', '<script>', '&amp;', '{\\an8}', '\u2028\u0007', '</b>'),
  );
  const vtt = writeVtt({ segments });
  expect(vtt.match(/-->/g)).toHaveLength(1);
  expect(vtt).toContain('a 00:00:09.000 --&gt; 00:00:10.000 &lt;script&gt;\n&amp;amp; {\\an8} &lt;/b&gt;\n');
  const srt = writeSrt({ segments });
  expect(srt.match(/-->/g)).toHaveLength(1);
  expect(srt).toContain('a 00:00:09.000 --› 00:00:10.000 ‹script›\n&amp; (\\an8) ‹/b›\n');
  for (const text of [vtt, srt]) expect(text.trim().split('\n\n').length).toBe(text === vtt ? 2 : 1);
});
