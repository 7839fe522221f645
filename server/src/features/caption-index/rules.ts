// Phrases contain letters, digits and blanks only, so none of them is special in a LIKE pattern.
export const patterns = (phrases: readonly string[]): string[] => phrases.map((phrase) => `%${phrase}%`);
