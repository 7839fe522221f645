import type { Aligner } from '../embedded/aligner.ts';
import { loadAligner } from '../embedded/aligner.ts';
import type { DecodedText } from '../embedded/decode-text.ts';
import { isRepetitive } from '../embedded/decoding.ts';
import type { Recognised, Recogniser } from '../embedded/recogniser.ts';
import { createTermPlanter } from '../embedded/vocabulary-bias.ts';
import { writeWithVocabulary } from '../embedded/vocabulary-changes.ts';
import { sampleRate } from '../engine.ts';
import type { SpokenLanguages } from '../spoken-languages.ts';
import { anyLanguage, withoutRegion } from '../spoken-languages.ts';
import { contextFor, mostPositions } from './context.ts';
import type { ControlTokens } from './control-tokens.ts';
import { loadControlTokens } from './control-tokens.ts';
import { decideLanguage } from './language-head.ts';
import type { TokenWord, Vocabulary } from './vocabulary.ts';
import { isSpaced, loadVocabulary } from './vocabulary.ts';
import type { Whisper } from './whisper.ts';
import { loadWhisper, smallShape } from './whisper.ts';
import { placeWords } from './word-times.ts';
import { promptFor, writeText } from './write-text.ts';
import { languageOfText } from './written-language.ts';

/** Whisper's own threshold for text that it does not trust. */
const leastLogProbability = -1;
/** Whisper could process 30 seconds, but needs memory with the square of the length. */
const mostSeconds = 20;
/** Short speech may loop with its own context only: 2.9 s did with 200 positions, and did not with 400. */
const moreContext = 250;
/** A shorter stretch has the language of its clip. */
const leastLanguageSeconds = 1.5;

/** A recogniser that can be unloaded. */
export interface LoadedRecogniser extends Recogniser {
  /** Frees its memory; it cannot be used any more. */
  release(): Promise<void>;
}

/** Whisper small: many languages, fewer errors, several times the work. */
export async function loadWhisperRecogniser(folder: string): Promise<LoadedRecogniser> {
  const control = await loadControlTokens(folder);
  const vocabulary = await loadVocabulary(folder);
  const whisper = await loadWhisper({ folder, shape: smallShape, alignmentHeads: control.alignmentHeads });
  const recogniser = createWhisperRecogniser({ whisper, vocabulary, control, aligner: await loadAligner() });
  return { ...recogniser, release: () => whisper.release() };
}

/** A text and its words. */
interface Attempt extends Pick<DecodedText<readonly Float32Array[]>, 'tokens' | 'attention'> {
  readonly language: string;
  readonly words: readonly TokenWord[];
  readonly logProbability: number;
  readonly isNonsense: boolean;
}

interface Speech {
  readonly samples: Float32Array;
  readonly signal: AbortSignal;
  /** The language of the clip. */
  readonly language: string;
  readonly spoken: SpokenLanguages;
  /** Names and terms that are likely to be said. */
  readonly likely: readonly string[];
}

export interface WhisperParts {
  readonly whisper: Whisper;
  readonly vocabulary: Vocabulary;
  readonly control: ControlTokens;
  readonly aligner: Aligner;
}

export function createWhisperRecogniser({ whisper, vocabulary, control, aligner }: WhisperParts): Recogniser {
  const termsOf = createTermPlanter(vocabulary.terms);

  const attempt = async ({ samples, signal, ...speech }: Speech, positions: number): Promise<Attempt> => {
    const encoded = await whisper.encode(samples, positions);
    const begin = async (language: string) => ({
      language,
      step: await whisper.begin(encoded, promptFor(language, control), signal),
    });
    let begun = await begin(speech.language);
    if (samples.length >= leastLanguageSeconds * sampleRate) {
      const { language } = decideLanguage(begun.step.scores[0]!, control, speech.spoken, speech.language);
      if (language !== speech.language) begun = await begin(language);
    }
    const { language, step } = begun;
    // Without spaces, the end of a term cannot be told from its tokens.
    const terms = isSpaced(language) ? termsOf(speech.likely) : undefined;
    return writeWithVocabulary(terms, async (ofVocabulary) => {
      const text = await writeText(step, control, ofVocabulary);
      const { tokens, attention } = text;
      const words = vocabulary.write(tokens, language);
      const isNonsense = text.isLoop || isRepetitive(words.map((word) => word.text));
      const sum = tokens.reduce((total, token) => total + token.logProbability, 0);
      const logProbability = tokens.length > 0 ? sum / tokens.length : 0;
      return { text, recognised: { language, tokens, attention, words, logProbability, isNonsense } };
    });
  };

  return {
    leastLogProbability,
    mostSeconds,
    async recognise(samples, signal, { language: given, spoken = anyLanguage, vocabulary: likely = [] } = {}) {
      const speech = { samples, signal, language: knownLanguage(given, control), spoken, likely };
      const needed = contextFor(samples);
      let best = await attempt(speech, needed);
      for (const positions of [Math.min(needed + moreContext, mostPositions), mostPositions]) {
        if (best.isNonsense) best = await attempt(speech, positions);
      }
      return describe(best, best.isNonsense ? undefined : placeWords(aligner, best, samples));
    },
  };
}

/** The language without its region; English if it is not given or Whisper does not know it. */
function knownLanguage(given: string | undefined, { languageTokens }: ControlTokens): string {
  const language = withoutRegion(given ?? 'en');
  return languageTokens.has(language) ? language : 'en';
}

function describe(attempt: Attempt, places: Recognised['places']): Recognised {
  const { tokens, words, logProbability, isNonsense } = attempt;
  const language = languageOfText(words.map(({ text }) => text).join(' '), attempt.language);
  return { language, words: isNonsense ? [] : words, places, logProbability, steps: tokens.length, isNonsense };
}
