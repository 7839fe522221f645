import { tagLanguage } from './languages.ts';
import type { Fields, TimedWord, RemoteTranscript } from './transcript.ts';
import { asFields, asList, asNumber, asText, spreadWords } from './transcript.ts';

/*
 * The response format `verbose_json` of OpenAI, which other servers implement differently:
 *
 *   OpenAI       words beside the segments, without punctuation and probabilities
 *   speaches     words beside and in the segments, with probabilities
 *   whisper.cpp  words in the segments, as tokens; a token with a leading space starts a word
 *   LocalAI      segments only, in older versions with times in nanoseconds
 */

/** Whisper's own thresholds for invented text. */
const leastLogProbability = -1;
const mostSilence = 0.6;
/** Larger than the length of any clip in seconds. */
const leastNanoseconds = 1e6;

const toSeconds = (value: unknown): number => {
  const time = asNumber(value) ?? 0;
  return time >= leastNanoseconds ? time / 1e9 : time;
};

export function readVerboseJson(answer: unknown): RemoteTranscript {
  const body = asFields(answer);
  const segments = asList(body['segments']);
  const beside = asList(body['words']);
  const isDoubtful = (segment: Fields) => (asNumber(segment['avg_logprob']) ?? 0) < leastLogProbability;
  const isSilence = (segment: Fields) =>
    isDoubtful(segment) && (asNumber(segment['no_speech_prob']) ?? 0) > mostSilence;
  const trusted = segments.filter((segment) => !isDoubtful(segment));
  const words = trusted.flatMap((segment) => wordsOf(segment, beside));
  return {
    language: tagLanguage(asText(body['language'])),
    words: segments.length > 0 ? words : joinPieces(beside, 1),
    doubtful: segments
      .filter((segment) => isDoubtful(segment) && !isSilence(segment))
      .map((segment) => ({ start: toSeconds(segment['start']), end: toSeconds(segment['end']) })),
  };
}

function wordsOf(segment: Fields, beside: readonly Fields[]): TimedWord[] {
  const [start, end] = [toSeconds(segment['start']), toSeconds(segment['end'])];
  const text = asText(segment['text']).trim();
  // If a server gives no confidence, the words are trusted.
  const confidence = Math.exp(asNumber(segment['avg_logprob']) ?? 0);
  const own = asList(segment['words']);
  const pieces = own.length > 0 ? own : beside.filter((word) => isWithin(toSeconds(word['start']), start, end));
  if (pieces.length === 0) return spreadWords(text, start, end, confidence);
  return punctuate(joinPieces(pieces, confidence), text);
}

const isWithin = (time: number, start: number, end: number) => time >= start && time < end;

function joinPieces(pieces: readonly Fields[], confidence: number): TimedWord[] {
  const spaced = pieces.some((piece) => /^\s/.test(asText(piece['word'])));
  const words: TimedWord[] = [];
  for (const piece of pieces) {
    const written = asText(piece['word']);
    const part: TimedWord = {
      text: written.trim(),
      start: toSeconds(piece['start']),
      end: toSeconds(piece['end']),
      confidence: asNumber(piece['probability']) ?? confidence,
    };
    const before = words.at(-1);
    if (part.text === '') continue;
    if (!before || !spaced || /^\s/.test(written)) words.push(part);
    else {
      words[words.length - 1] = {
        text: before.text + part.text,
        start: before.start,
        end: part.end,
        confidence: Math.min(before.confidence, part.confidence),
      };
    }
  }
  return words;
}

/** Uses the spelling of the text if it has the same number of words. */
function punctuate(words: readonly TimedWord[], text: string): TimedWord[] {
  const written = text.split(/\s+/).filter((word) => word !== '');
  if (written.length !== words.length) return [...words];
  return words.map((word, at) => ({ ...word, text: written[at]! }));
}
