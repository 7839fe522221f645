/** What is known of the languages of a clip before it is transcribed. */
export interface SpokenLanguages {
  /** Speech is in one of these languages; if there are none, in any. */
  readonly languages: readonly string[];
  /** In how many of the device's recent clips each language was spoken. */
  readonly recent: Readonly<Record<string, number>>;
}

export const anyLanguage: SpokenLanguages = { languages: [], recent: {} };

/** The language without its region: engines tell no regions apart. */
export const withoutRegion = (language: string): string => language.toLowerCase().split('-')[0] ?? language;

/** The only language that is spoken, if there is just one: then nothing is decided. */
export const onlyLanguage = ({ languages }: SpokenLanguages): string | undefined =>
  languages.length === 1 ? languages[0] : undefined;

/**
 * Languages that many people speak, or that radio and recorders often meet. Detectors name others for speech with an
 * accent more often than for speakers of these languages, so they need more evidence.
 */
const common = new Set(
  'ar cs da de el en es fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh'.split(' '),
);
const rarity = 1 / 20;
/** Each recent clip of a device in a language makes the next one so much likelier. */
const perRecentClip = 0.5;
const mostRecentClips = 40;

/** How likely a language is before it is heard, compared with others. */
const likelihoodOf = (language: string, { recent }: SpokenLanguages): number =>
  (common.has(language) ? 1 : rarity) * (1 + perRecentClip * Math.min(mostRecentClips, recent[language] ?? 0));

/**
 * Without a setting, speech is in another language than the expected one only if that is so many times likelier. The
 * likeliest language alone is no measure: noise and radio make it wrong for English.
 */
const leastTimes = 19;
/** Among languages of which each was set, an error costs less than a wrong language for the rest of a clip. */
const leastTimesWithinSet = 3;

export interface ChosenLanguage {
  readonly language: string;
  /** The probability of the expected language among those that are possible, 0 to 1. */
  readonly pExpected: number;
}

/** Chooses the language of speech from the probabilities of a detector: the expected one unless that is very unlikely. */
export function chooseLanguage(
  detected: ReadonlyMap<string, number>,
  spoken: SpokenLanguages,
  expected: string,
): ChosenLanguage {
  const isSet = spoken.languages.length > 0;
  const isPossible = (language: string) => !isSet || spoken.languages.includes(language);
  const weights = [...detected]
    .filter(([language]) => isPossible(language))
    .map(([language, probability]) => ({
      language,
      weight: probability * (isSet ? 1 : likelihoodOf(language, spoken)),
    }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  const ofExpected = weights.find(({ language }) => language === expected)?.weight ?? 0;
  const others = weights.filter(({ language }) => language !== expected);
  // A detector may know none of the languages that were set.
  if (others.length === 0 || sum === 0) return { language: orSet(expected, spoken), pExpected: 1 };
  const likeliest = others.reduce((best, other) => (other.weight > best.weight ? other : best));
  const isOther = sum - ofExpected > (isSet ? leastTimesWithinSet : leastTimes) * ofExpected;
  return { language: isOther ? likeliest.language : expected, pExpected: ofExpected / sum };
}

/** The language if it is possible, else the first that was set. */
export const orSet = (language: string, { languages }: SpokenLanguages): string =>
  languages.length === 0 || languages.includes(language) ? language : languages[0]!;
