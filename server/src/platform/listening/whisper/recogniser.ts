import type { Aligner, WordSpan } from '../embedded/aligner.ts';
import { loadAligner } from '../embedded/aligner.ts';
import { isRepetitive } from '../embedded/decoding.ts';
import type { Recogniser, WrittenWord } from '../embedded/recogniser.ts';
import { sampleRate } from '../engine.ts';
import { placeTokens } from './attention-times.ts';
import { loadControlTokens } from './control-tokens.ts';
import { decideLanguage } from './language-head.ts';
import { loadVocabulary } from './vocabulary.ts';
import { loadWhisper, mostPositions, smallShape } from './whisper.ts';
import { promptFor, writeText } from './write-text.ts';

/** Whisper's own threshold for text that it does not trust. */
const leastLogProbability = -1;
/** Whisper processes at most 30 seconds; the rest is for the margin of the gate. */
const mostSeconds = 28;

/** Whisper small: many languages, fewer errors, several times the work. */
export async function loadWhisperRecogniser(folder: string): Promise<Recogniser> {
  const vocabulary = await loadVocabulary(folder);
  const control = await loadControlTokens(folder);
  const { alignmentHeads } = control;
  const whisper = await loadWhisper({ folder, shape: smallShape, alignmentHeads });
  const aligner = await loadAligner();
  return {
    leastLogProbability,
    mostSeconds,
    async recognise(samples, signal, ofClip) {
      const encoded = await whisper.encode(samples, mostPositions);
      const decide = async () =>
        decideLanguage((await whisper.startText(encoded, signal)([control.start])).scores[0]!, control).language;
      const language = ofClip ?? (await decide());
      const decode = whisper.startText(encoded, signal);
      const begun = await decode(promptFor(language, control));
      const { tokens, attention, isLoop } = await writeText(decode, begun, control);
      const words = vocabulary.write(tokens, language);
      const isNonsense = isLoop || isRepetitive(words.map(({ text }) => text));
      const sum = tokens.reduce((total, token) => total + token.logProbability, 0);
      const byAttention = (): WordSpan[] => {
        const places = placeTokens(attention, samples.length / sampleRate);
        return words.map(({ text, from, to }) => {
          const { endSeconds } = places[to - 1]!;
          return { startSeconds: Math.max(places[from]!.startSeconds, endSeconds - longest(text)), endSeconds };
        });
      };
      return {
        language,
        words,
        places: isNonsense ? undefined : (alignEnglish(aligner, language, samples, words) ?? byAttention()),
        logProbability: tokens.length > 0 ? sum / tokens.length : 0,
        steps: tokens.length,
        isNonsense,
      };
    },
  };
}

/** The attention includes the pause before a word, so a word is limited to the time that a slow speaker needs. */
const longest = (text: string) => 0.25 + 0.12 * text.length;

/** The aligner is more exact, but supports only English. */
function alignEnglish(
  aligner: Aligner,
  language: string,
  samples: Float32Array,
  words: readonly WrittenWord[],
): readonly WordSpan[] | undefined {
  if (language !== 'en') return undefined;
  return aligner.align(
    samples,
    words.map(({ text }) => text),
  )?.words;
}
