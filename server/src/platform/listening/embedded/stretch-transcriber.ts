import type { DetectLanguage } from './clip-language.ts';
import { isLongEnough } from './clip-language.ts';
import { recogniseUntilSure } from './recognise-until-sure.ts';
import type { Recognised, Recogniser } from './recogniser.ts';
import { isWordless } from './recogniser.ts';

/*
 * Transcribes the stretches of one clip.
 *
 * A stretch has the language of its clip, with two exceptions, in which the language is decided for the stretch alone:
 * the recognisers are unsure about it, or they do not support the language of the clip, so only this shows a stretch in
 * a language that they support. A stretch that is too short to decide follows the previous one.
 */

export interface StretchModels {
  /** Asked in this order until one is sure. */
  readonly recognisers: readonly [Recogniser, ...Recogniser[]];
  /** Asked if all others are unsure, and preferred if it finds words. */
  readonly lastRecogniser?: Pick<Recogniser, 'recognise'> | undefined;
  readonly isSupported: (language: string) => boolean;
  readonly detectLanguage: DetectLanguage;
  /** The language of sound that is too short or too unclear to decide; without it, that is decided too. */
  readonly assumedLanguage?: string | undefined;
}

/** What was said in a stretch, and in which language; without a text if the language is not supported. */
export interface TranscribedStretch {
  readonly language: string;
  readonly recognised: Recognised | undefined;
}

export type StretchTranscriber = (samples: Float32Array) => Promise<TranscribedStretch>;

export interface ClipTask {
  readonly language: string;
  readonly vocabulary: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

export function createStretchTranscriber(models: StretchModels, clip: ClipTask): StretchTranscriber {
  const { recognisers, lastRecogniser, isSupported, detectLanguage } = models;
  const { signal, vocabulary } = clip;
  const isClipSupported = isSupported(clip.language);
  let previous = clip.language;

  const transcribe = async (samples: Float32Array): Promise<TranscribedStretch> => {
    const decide = async () => (isLongEnough(samples) ? await detectLanguage(samples, signal) : previous);
    const recognise = (inLanguage: string) => recogniseUntilSure(recognisers, samples, signal, inLanguage, vocabulary);
    let language = isClipSupported ? clip.language : await decide();
    if (!isSupported(language)) return { language, recognised: undefined };
    let attempt = await recognise(language);
    if (attempt.isUnsure && isClipSupported) {
      const decided = await decide();
      if (!isSupported(decided)) return { language: decided, recognised: undefined };
      if (decided !== language) attempt = await recognise((language = decided));
    }
    if (!attempt.isUnsure || !lastRecogniser) return describe(attempt.recognised);
    const final = await lastRecogniser.recognise(samples, signal, language, vocabulary);
    return describe(isWordless(final) ? attempt.recognised : final);
  };

  return async (samples) => {
    const transcribed = await transcribe(samples);
    previous = transcribed.language;
    return transcribed;
  };
}

/** A recogniser of many languages may have found another one than the expected. */
const describe = (recognised: Recognised): TranscribedStretch => ({ language: recognised.language, recognised });
