/** How the words and segments of a caption are marked, for every place that shows them. */

/** An engine's word with a lower confidence is marked as doubtful. */
export const doubtfulBelow = 70;

interface Segment {
  readonly text: string;
  readonly isLanguageKnown: boolean;
  readonly isUnderstood?: boolean | undefined;
  readonly language?: string | undefined;
  readonly unconfirmed?: object | undefined;
}

interface Word {
  readonly confidence: number;
  readonly isDoubtful?: boolean | undefined;
}

/** Captions from before the mark existed have only the confidence. */
export const isDoubtful = ({ isDoubtful: mark, confidence }: Word): boolean => mark ?? confidence < doubtfulBelow;

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The English name of a language, such as `Spanish` for `es`; the tag itself if it has no name. */
export function languageName(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** What is said in place of the words of speech that has none; undefined if it has words. */
export function unheardNote(segment: Segment, clipLanguage?: string): string | undefined {
  if (segment.text !== '') return undefined;
  const language = segment.language ?? clipLanguage;
  if (segment.unconfirmed !== undefined)
    return language === undefined ? 'not confirmed' : `perhaps ${languageName(language)}, not confirmed`;
  if (!segment.isLanguageKnown && language !== undefined) return `${languageName(language)}, not transcribed`;
  return segment.isLanguageKnown && segment.isUnderstood !== false ? undefined : 'not understood';
}
