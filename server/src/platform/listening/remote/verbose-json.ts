import { tagLanguage } from './languages.ts';
import type { Fields, RemoteTranscript, SecondsSpan, TimedWord } from './transcript.ts';
import { areTimesSound, asFields, asList, asNumber, asText } from './transcript.ts';

/*
 * The response formats `verbose_json` and `json` of OpenAI, which other servers implement differently:
 *
 *   OpenAI       words beside the segments, without punctuation and probabilities
 *   speaches     words beside and in the segments, with probabilities
 *   whisper.cpp  words in the segments, as tokens; a token with a leading space starts a word
 *   LocalAI      segments only, in older versions with times in nanoseconds
 *   json         only the text
 *
 * Times are not trusted: if those of a word cannot be right, the words of its segment count as untimed; if those of a
 * segment cannot be right, it lies between its neighbours.
 */

/** Whisper's own thresholds for invented text. */
const leastLogProbability = -1;
const mostSilence = 0.6;
/** Larger than the length of any clip in seconds. */
const leastNanoseconds = 1e6;

const toSeconds = (value: unknown): number | undefined => {
  const time = asNumber(value);
  return time !== undefined && time >= leastNanoseconds ? time / 1e9 : time;
};

/** A word, or a part of one, whose times may be missing. */
interface Piece extends Partial<SecondsSpan> {
  readonly text: string;
  readonly confidence: number;
}

/** `seconds` is the length of the sound. */
export function readVerboseJson(answer: unknown, seconds: number): RemoteTranscript {
  const body = asFields(answer);
  const segments = asList(body['segments']);
  const beside = asList(body['words']);
  const language = tagLanguage(asText(body['language']));
  const whole = { start: 0, end: seconds };
  if (!segments.some((segment) => textOf(segment) !== '')) {
    const words = joinPieces(beside, 1);
    const text = asText(body['text']).trim() || joinTexts(words);
    return { language, ...timedOrNot(words, text, whole, 1), doubtful: [] };
  }
  const spans = placeSegments(segments, seconds);
  const isWhole = areTimesSound(joinPieces(beside, 1), whole);
  const read = segments.map((segment, at) => ({
    isDoubtful: (asNumber(segment['avg_logprob']) ?? 0) < leastLogProbability,
    isSilence: (asNumber(segment['no_speech_prob']) ?? 0) > mostSilence,
    span: spans[at]!,
    ...wordsOf(segment, spans[at]!, beside, isWhole),
  }));
  const trusted = read.filter(({ isDoubtful }) => !isDoubtful);
  return {
    language,
    words: trusted.flatMap(({ words }) => words),
    untimed: trusted.flatMap(({ untimed }) => untimed),
    doubtful: read.filter(({ isDoubtful, isSilence }) => isDoubtful && !isSilence).map(({ span }) => span),
  };
}

const textOf = (segment: Fields): string =>
  asText(segment['text']).trim() || joinTexts(joinPieces(asList(segment['words']), 1));

const joinTexts = (words: readonly Piece[]): string => words.map(({ text }) => text).join(' ');

type Words = Pick<RemoteTranscript, 'words' | 'untimed'>;

function timedOrNot(words: readonly Piece[], text: string, span: SecondsSpan, confidence: number): Words {
  if (words.length > 0 && areTimesSound(words, span))
    return { words: punctuate(words as TimedWord[], text), untimed: [] };
  return { words: [], untimed: text === '' ? [] : [{ text, ...span, confidence }] };
}

/** The times of each segment within the sound. */
function placeSegments(segments: readonly Fields[], seconds: number): SecondsSpan[] {
  const given = segments.map((segment): SecondsSpan | undefined => {
    const [start, end] = [toSeconds(segment['start']), toSeconds(segment['end'])];
    if (start === undefined || end === undefined || end < start || end < 0 || start > seconds) return undefined;
    return { start: Math.max(0, start), end: Math.min(seconds, end) };
  });
  let last = 0;
  return given.map((span, at) => {
    const next = given.slice(at + 1).find((one) => one !== undefined);
    const placed = span ?? { start: last, end: Math.max(last, next?.start ?? seconds) };
    last = placed.end;
    return placed;
  });
}

/** `isBesideWhole`: no word beside the segments has wrong times, so that none is missing from its segment. */
function wordsOf(segment: Fields, span: SecondsSpan, beside: readonly Fields[], isBesideWhole: boolean): Words {
  const text = textOf(segment);
  // If a server gives no confidence, the words are trusted.
  const confidence = Math.exp(asNumber(segment['avg_logprob']) ?? 0);
  const own = joinPieces(asList(segment['words']), confidence);
  if (own.length > 0) return timedOrNot(own, text, span, confidence);
  const within = beside.filter((word) => {
    const start = toSeconds(word['start']);
    return start !== undefined && start >= span.start && start < span.end;
  });
  const words = joinPieces(within, confidence);
  const isComplete = isBesideWhole || lettersOf(joinTexts(words)) === lettersOf(text);
  return timedOrNot(isComplete ? words : [], text, span, confidence);
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

function joinPieces(pieces: readonly Fields[], confidence: number): Piece[] {
  const spaced = pieces.some((piece) => /^\s/.test(asText(piece['word'])));
  const words: Piece[] = [];
  for (const piece of pieces) {
    const written = asText(piece['word']);
    const part = {
      text: written.trim(),
      ...timesOf(piece),
      confidence: asNumber(piece['probability']) ?? confidence,
    };
    const before = words.at(-1);
    if (part.text === '') continue;
    if (!before || !spaced || /^\s/.test(written)) words.push(part);
    else {
      words[words.length - 1] = {
        ...before,
        ...(part.end === undefined ? {} : { end: part.end }),
        text: before.text + part.text,
        confidence: Math.min(before.confidence, part.confidence),
      };
    }
  }
  return words;
}

function timesOf(piece: Fields): Partial<SecondsSpan> {
  const [start, end] = [toSeconds(piece['start']), toSeconds(piece['end'])];
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** Uses the spelling of the text if it has the same number of words. */
function punctuate(words: readonly TimedWord[], text: string): TimedWord[] {
  const written = text.split(/\s+/).filter((word) => word !== '');
  if (written.length !== words.length) return [...words];
  return words.map((word, at) => ({ ...word, text: written[at]! }));
}
