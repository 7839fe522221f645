import { readTerms } from '@earshot/contract/words/public';

/** The forms of a word or phrase, as the server compares them. */
export interface TermForms {
  readonly typed: string;
  readonly isQuoted: boolean;
  /** Other forms that count, without the one that was typed. */
  readonly forms: readonly string[];
  /** Also written as two words, at any place. */
  readonly isSplit: boolean;
  /** It is also found as it is said on the radio, in more ways than can be listed. */
  readonly hasMore: boolean;
}

export const termFormsOf = (words: string): readonly TermForms[] =>
  readTerms(words, 'words').map(({ typed, phrases, variants, patterns, isQuoted }) => {
    const others = [...new Set([...phrases, ...variants])].filter((form) => form !== typed);
    const written = new Set([typed, ...others].filter((form) => !form.includes(' ')));
    const isSplit = (form: string) => form.includes(' ') && written.has(form.replaceAll(' ', ''));
    const isWord = !typed.includes(' ');
    return {
      typed,
      isQuoted,
      forms: isWord ? others.filter((form) => !isSplit(form)) : others,
      isSplit: isWord && others.some(isSplit),
      hasMore: patterns.length > 0,
    };
  });
