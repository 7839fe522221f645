import { llamaTerms } from './llama-text.ts';

/*
 * A prompt is a text of any kind: names, a description of the speakers, or what was said before. Only its rare words are
 * used, as terms of a vocabulary: names and jargon, which an engine tends to write differently. If common words were made
 * more likely, an engine would write them for others that sound similar.
 *
 * A word is common if the tokens of the text model have one for it, or for the word without its ending: that is so for
 * about 11,000 words.
 */

/** More would slow the engines down. */
const mostWords = 50;
/** The end of a longer prompt is used, because it is the closest to what is said. */
const mostCharacters = 4_000;
const shortestWord = 3;
const longestWord = 40;
const endings = /(?:'s|s|es|ed|ing|er|ers|ly)$/;

export function rareWordsOf(prompt: string): readonly string[] {
  const words = prompt.slice(-mostCharacters).match(/\p{L}[\p{L}\p{M}\p{N}]*(?:['’-][\p{L}\p{N}]+)*/gu) ?? [];
  const rare = new Map<string, string>();
  for (const word of words) {
    const key = word.toLowerCase();
    if (word.length < shortestWord || word.length > longestWord || rare.has(key) || isCommon(key)) continue;
    rare.set(key, word);
    if (rare.size === mostWords) break;
  }
  return [...rare.values()];
}

function isCommon(word: string): boolean {
  const stem = word.replace(endings, '');
  // "breathing" and "responding" have the stems "breath" and "respond"; "riding" has "ride", "stopping" has "stop".
  const stems = [word, stem, `${stem}e`, stem.replace(/(.)\1$/, '$1')];
  return stems.some((one) => isOneToken(one) || isOneToken(one.slice(0, 1).toUpperCase() + one.slice(1)));
}

const isOneToken = (word: string): boolean => llamaTerms.encode(word).length === 1;
