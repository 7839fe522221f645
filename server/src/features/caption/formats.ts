import type { Segment, Word } from '../../platform/listening/engine.ts';

/*
 * Captions in the formats that players read. The text of words is not trusted: it may contain line breaks, tags, and
 * the arrow of a time line.
 */

const lineLength = 42;
const linesAtOnce = 2;
/** Shorter cues are not readable. */
const leastMs = 10;

interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
}

export function writeVtt(segments: readonly Segment[]): string {
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const cues = cuesOf(segments).map(
    ({ startMs, endMs, lines }) => `${clock(startMs, '.')} --> ${clock(endMs, '.')}\n${lines.map(escape).join('\n')}\n`,
  );
  return ['WEBVTT\n', ...cues].join('\n');
}

/** SubRip has no escapes: characters that a player would read as a tag or a time line are replaced by similar ones. */
export function writeSrt(segments: readonly Segment[]): string {
  const harmless = (text: string) =>
    text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('{', '(').replaceAll('}', ')');
  return cuesOf(segments)
    .map(
      ({ startMs, endMs, lines }, index) =>
        `${index + 1}\n${clock(startMs, ',')} --> ${clock(endMs, ',')}\n${lines.map(harmless).join('\n')}\n`,
    )
    .join('\n');
}

const cuesOf = (segments: readonly Segment[]): Cue[] => segments.flatMap(({ words }) => cut(words.map(printable)));

/** One line, without control characters. */
const printable = (word: Word): Word => ({
  ...word,
  text: word.text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(),
});

/** As many words as two lines hold, with the times of these words. */
function cut(words: readonly Word[]): Cue[] {
  const cues: { first: Word; last: Word; lines: string[] }[] = [];
  for (const word of words.filter(({ text }) => text !== '')) {
    const cue = cues.at(-1);
    const line = cue?.lines.at(-1);
    if (cue && line !== undefined && line.length + 1 + word.text.length <= lineLength) {
      cue.lines[cue.lines.length - 1] = `${line} ${word.text}`;
      cue.last = word;
    } else if (cue && cue.lines.length < linesAtOnce) {
      cue.lines.push(word.text);
      cue.last = word;
    } else cues.push({ first: word, last: word, lines: [word.text] });
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
