import { hasSimilar, shortenedOf, soundOf } from '@earshot/contract/words/public';
import { hashOf } from './grams.ts';

/*
 * The list of words that occur in transcripts. A search uses it to find similar words, and to leave out variants that
 * nobody said. Only words of the letters a to z are listed.
 */

const isListed = /^[a-z]{1,24}$/u;

/** Whether a word of a variant may occur in a transcript although it is not listed. */
export const isUnlisted = (word: string): boolean => !isListed.test(word);

/** The keys of a word. Two words with the same sound have one in common, and so have two that differ in one letter. */
export const keysOfWord = (word: string): number[] =>
  hasSimilar(word) ? [hashOf(`~${soundOf(word)}`), ...shortenedOf(word).map(hashOf)] : [];

/** The words of a comparable text that are listed, each once and in order, so that concurrent inserts do not deadlock. */
export const listedWords = (text: string): string[] =>
  [...new Set(text.trim().split(' '))].filter((word) => isListed.test(word)).toSorted();
