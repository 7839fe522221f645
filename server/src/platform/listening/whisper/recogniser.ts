import type { Aligner } from '../embedded/aligner.ts';
import { loadAligner } from '../embedded/aligner.ts';
import { isRepetitive } from '../embedded/decoding.ts';
import type { Recognised, Recogniser } from '../embedded/recogniser.ts';
import { sampleRate } from '../engine.ts';
import { contextFor, mostPositions } from './context.ts';
import type { ControlTokens } from './control-tokens.ts';
import { loadControlTokens } from './control-tokens.ts';
import { decideLanguage } from './language-head.ts';
import type { TokenWord, Vocabulary } from './vocabulary.ts';
import { loadVocabulary } from './vocabulary.ts';
import type { Whisper } from './whisper.ts';
import { loadWhisper, smallShape } from './whisper.ts';
import { placeWords } from './word-times.ts';
import type { WrittenText } from './write-text.ts';
import { promptFor, writeText } from './write-text.ts';

/** Whisper's own threshold for text that it does not trust. */
const leastLogProbability = -1;
/** Whisper could process 30 seconds, but needs memory with the square of the length. */
const mostSeconds = 20;
/** A shorter stretch has the language of its clip. */
const leastLanguageSeconds = 1.5;

/** Whisper small: many languages, fewer errors, several times the work. */
export async function loadWhisperRecogniser(folder: string): Promise<Recogniser> {
  const control = await loadControlTokens(folder);
  const vocabulary = await loadVocabulary(folder);
  const whisper = await loadWhisper({ folder, shape: smallShape, alignmentHeads: control.alignmentHeads });
  return createWhisperRecogniser({ whisper, vocabulary, control, aligner: await loadAligner() });
}

/** A text and its words. */
interface Attempt extends WrittenText {
  readonly language: string;
  readonly words: readonly TokenWord[];
  readonly isNonsense: boolean;
}

export interface WhisperParts {
  readonly whisper: Whisper;
  readonly vocabulary: Vocabulary;
  readonly control: ControlTokens;
  readonly aligner: Aligner;
}

export function createWhisperRecogniser({ whisper, vocabulary, control, aligner }: WhisperParts): Recogniser {
  const attempt = async (
    samples: Float32Array,
    positions: number,
    signal: AbortSignal,
    ofClip: string,
  ): Promise<Attempt> => {
    const encoded = await whisper.encode(samples, positions);
    const begin = async (language: string) => {
      const decode = whisper.startText(encoded, signal);
      return { language, decode, step: await decode(promptFor(language, control)) };
    };
    let begun = await begin(ofClip);
    if (samples.length >= leastLanguageSeconds * sampleRate) {
      const { language } = decideLanguage(begun.step.scores[0]!, control, ofClip);
      if (language !== ofClip) begun = await begin(language);
    }
    const { language } = begun;
    const text = await writeText(begun.decode, begun.step, control);
    const words = vocabulary.write(text.tokens, language);
    return { ...text, language, words, isNonsense: text.isLoop || isRepetitive(words.map((word) => word.text)) };
  };

  return {
    leastLogProbability,
    mostSeconds,
    async recognise(samples, signal, language) {
      const expected = knownLanguage(language, control);
      const first = await attempt(samples, contextFor(samples), signal, expected);
      // The silence of the whole context ends most loops.
      const best = first.isNonsense ? await attempt(samples, mostPositions, signal, expected) : first;
      return describe(best, best.isNonsense ? undefined : placeWords(aligner, best, samples));
    },
  };
}

/** The language without its region; English if it is not given or Whisper does not know it. */
function knownLanguage(given: string | undefined, { languageTokens }: ControlTokens): string {
  const language = given?.toLowerCase().split('-')[0] ?? 'en';
  return languageTokens.has(language) ? language : 'en';
}

function describe({ language, tokens, words, isNonsense }: Attempt, places: Recognised['places']): Recognised {
  const sum = tokens.reduce((total, token) => total + token.logProbability, 0);
  return {
    language,
    words: isNonsense ? [] : words,
    places,
    logProbability: tokens.length > 0 ? sum / tokens.length : 0,
    steps: tokens.length,
    isNonsense,
  };
}
