import type { SpokenLanguages } from '../spoken-languages.ts';
import { onlyLanguage } from '../spoken-languages.ts';
import type { DetectLanguage } from './clip-language.ts';
import { isLongEnough } from './clip-language.ts';
import { recogniseUntilSure } from './recognise-until-sure.ts';
import type { Recognised, Recogniser } from './recogniser.ts';
import { isWordless } from './recogniser.ts';

/*
 * Transcribes the stretches of one clip.
 *
 *   one spoken language is set     every stretch is in it, and nothing is decided
 *   otherwise                      a stretch has the language of its clip, with two exceptions, in which the language is
 *                                  decided for the stretch alone: the recognisers are unsure about it, or they do not
 *                                  support the language of the clip, so only this shows a stretch in one that they support
 *
 * A stretch that is too short to decide follows the previous one. If the language is not supported, the last recogniser
 * decides, which supports many; without it, the words that the others write are kept, and are not confirmed.
 */

export interface StretchModels {
  /** Asked in this order until one is sure. */
  readonly recognisers: readonly [Recogniser, ...Recogniser[]];
  /** Asked if all others are unsure, and preferred if it finds words. It supports many languages. */
  readonly lastRecogniser?: Pick<Recogniser, 'recognise'> | undefined;
  readonly isSupported: (language: string) => boolean;
  readonly detectLanguage: DetectLanguage;
  /** The language of sound that is too short or too unclear to decide; without it, that is decided too. */
  readonly assumedLanguage?: string | undefined;
}

/** What was said in a stretch, and in which language. */
export interface TranscribedStretch {
  readonly language: string;
  /** Undefined if the language is not supported, and nothing was written in another one. */
  readonly recognised: Recognised | undefined;
  /** Whether the text is in that language: otherwise it is in one that may not have been spoken. */
  readonly isConfirmed: boolean;
}

export type StretchTranscriber = (samples: Float32Array) => Promise<TranscribedStretch>;

export interface ClipTask {
  readonly language: string;
  readonly spoken: SpokenLanguages;
  readonly vocabulary: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export function createStretchTranscriber(models: StretchModels, clip: ClipTask): StretchTranscriber {
  const { recognisers, lastRecogniser, isSupported, detectLanguage, assumedLanguage } = models;
  const { signal, spoken, vocabulary } = clip;
  const isSet = onlyLanguage(spoken) !== undefined;
  const isClipSupported = isSupported(clip.language);
  let previous = clip.language;

  const transcribe = async (samples: Float32Array): Promise<TranscribedStretch> => {
    const decide = async () => (isLongEnough(samples) ? await detectLanguage(samples, signal, spoken) : previous);
    const recognise = (language: string) =>
      recogniseUntilSure(recognisers, samples, signal, { language, spoken, vocabulary });
    const askLast = (language: string) => lastRecogniser?.recognise(samples, signal, { language, spoken, vocabulary });
    /** The speech is in a language that only the last recogniser supports, or in one that was not recognised well. */
    const transcribeOther = async (language: string, written?: Recognised): Promise<TranscribedStretch> => {
      // It expects what it would without this decision, so that it decides itself.
      const expected = isLongEnough(samples) ? (assumedLanguage ?? language) : previous;
      const last = await askLast(isSet ? language : expected);
      if (last && !isWordless(last)) return confirmed(last);
      if (isSet) return { language, recognised: undefined, isConfirmed: false };
      const recognised = written ?? (await recognise(assumedLanguage ?? language)).recognised;
      return { language, recognised, isConfirmed: false };
    };

    let language = isClipSupported || isSet ? clip.language : await decide();
    if (!isSupported(language)) return transcribeOther(language);
    let attempt = await recognise(language);
    if (attempt.isUnsure && isClipSupported && !isSet) {
      const decided = await decide();
      if (!isSupported(decided)) return transcribeOther(decided, attempt.recognised);
      if (decided !== language) attempt = await recognise((language = decided));
    }
    const last = attempt.isUnsure ? await askLast(language) : undefined;
    return confirmed(last && !isWordless(last) ? last : attempt.recognised);
  };

  return async (samples) => {
    const transcribed = await transcribe(samples);
    previous = transcribed.language;
    return transcribed;
  };
}

/** A recogniser of many languages may have found another one than the expected. */
const confirmed = (recognised: Recognised): TranscribedStretch => ({
  language: recognised.language,
  recognised,
  isConfirmed: true,
});
