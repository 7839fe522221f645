import type { Listening } from '../engine.ts';

/** Whisper reads the last 224 tokens of a prompt; a token of a name has about three characters. */
const mostCharacters = 600;

/** The prompt for a server: the names and terms that are likely to be said, and the text that was given for the clip. */
export function writePrompt({ prompt = '', vocabulary = [] }: Pick<Listening, 'prompt' | 'vocabulary'>): string {
  const given = oneLine(prompt).slice(-mostCharacters);
  const terms: string[] = [];
  let length = given.length;
  for (const term of vocabulary.map(oneLine)) {
    length += term.length + 2;
    if (length > mostCharacters) break;
    if (term !== '') terms.push(term);
  }
  return [terms.join(', '), given].filter((text) => text !== '').join('. ');
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .toWellFormed()
    .trim();
