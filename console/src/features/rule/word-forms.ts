import { readTerms } from '@earshot/contract/words/public';

/** The forms of a word or phrase, as the server compares them. */
export interface TermForms {
  readonly typed: string;
  readonly isQuoted: boolean;
  /** Other forms that count, without the one that was typed. */
  readonly forms: readonly string[];
  /** It is also found as it is said on the radio, in more ways than can be listed. */
  readonly hasMore: boolean;
}

export const termFormsOf = (words: string): readonly TermForms[] =>
  readTerms(words, 'words').map(({ typed, phrases, variants, patterns, isQuoted }) => ({
    typed,
    isQuoted,
    forms: [...new Set([...phrases, ...variants])].filter((form) => form !== typed),
    hasMore: patterns.length > 0,
  }));
