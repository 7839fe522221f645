import { isDoubtful, unheardNote } from '@earshot/contract/caption-marks';
import type { StoredSegment } from '../segments.ts';

/*
 * Captions in the formats that players read. The text of words is not trusted: it may contain line breaks, tags, and
 * the arrow of a time line. Speech without words has a cue that says so.
 */

export interface Subtitles {
  readonly language?: string | undefined;
  readonly segments: readonly StoredSegment[];
}

type Word = StoredSegment['words'][number];

const lineLength = 42;
const linesAtOnce = 2;
/** Shorter cues are not readable. */
const leastMs = 10;

interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly (readonly Word[])[];
}

/** Doubtful words have a class, unless the text is for a program that does not expect one. */
export function writeVtt(subtitles: Subtitles, { marksDoubt = true } = {}): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const write = (word: Word) =>
    marksDoubt && isDoubtful(word) ? `<c.doubtful>${escape(word.text)}</c>` : escape(word.text);
  const cues = cuesOf(subtitles).map(
    ({ startMs, endMs, lines }) => `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${joinLines(lines, write)}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

/** SubRip has no escapes: characters that a player would read as a tag or a time line are replaced by similar ones. */
export function writeSrt(subtitles: Subtitles): string {
  const harmless = ({ text }: Word) =>
    text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{', '(').replaceAll('}', ')');
  return cuesOf(subtitles)
    .map(
      ({ startMs, endMs, lines }, index) =>
        `${index + 1}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${joinLines(lines, harmless)}\n`,
    )
    .join('\n');
}

const joinLines = (lines: Cue['lines'], write: (word: Word) => string): string =>
  lines.map((words) => words.map(write).join(' ')).join('\n');

const cuesOf = ({ segments, language }: Subtitles): Cue[] =>
  segments.flatMap((segment) => {
    const { startMs, endMs, words } = segment;
    const note = unheardNote(segment, language);
    if (note === undefined || words.length > 0) return cut(words.map(printable));
    return cut([{ text: `[${note}]`, startMs, endMs, confidence: 100 }]);
  });

/** One line, without control characters. */
const printable = (word: Word): Word => ({
  ...word,
  text: word.text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(),
});

const lengthOf = (line: readonly Word[]): number => line.reduce((sum, { text }) => sum + 1 + text.length, -1);

/** As many words as two lines hold, with the times of these words. */
function cut(words: readonly Word[]): Cue[] {
  const cues: { first: Word; last: Word; lines: Word[][] }[] = [];
  for (const word of words.filter(({ text }) => text !== '')) {
    const cue = cues.at(-1);
    const line = cue?.lines.at(-1);
    if (cue && line && lengthOf(line) + 1 + word.text.length <= lineLength) {
      line.push(word);
      cue.last = word;
    } else if (cue && cue.lines.length < linesAtOnce) {
      cue.lines.push([word]);
      cue.last = word;
    } else cues.push({ first: word, last: word, lines: [[word]] });
  }
  return cues.map(({ first, last, lines }) => ({
    startMs: first.startMs,
    endMs: Math.max(last.endMs, first.startMs + leastMs),
    lines,
  }));
}

function clock(ms: number, sign: '.' | ','): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fraction = String(ms % 1000).padStart(3, '0');
  return `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}${sign}${fraction}`;
}
