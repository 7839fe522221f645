/** The name of a tag for comparison in any case, letter by letter, so that a letter means the same at the end of a word. */
export const lowerName = (name: string): string => Array.from(name, (letter) => letter.toLowerCase()).join('');
