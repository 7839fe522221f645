/*
 * Words that are said in full and often written short. The short form finds each of its meanings; only the first meaning
 * finds the short form, because `Dr.` in a transcript is rarely a drive.
 */
const abbreviations =
  `ok okay|st saint street|dr doctor drive|mr mister|mrs missus|jr junior|sr senior|ave avenue|rd road|
blvd boulevard|hwy highway|pkwy parkway|ln lane|sq square|mt mount|ft feet fort|apt apartment|bldg building|rm room|
dept department|hq headquarters|sgt sergeant|lt lieutenant|capt captain|ofc officer|vs versus|min minute|hr hour|hrs hours|
lb pound|lbs pounds|cant cannot|rte route rt|rt route rte`
    .split('|')
    .map((line) => line.trim().split(' '));

const others = new Map<string, readonly string[]>();
for (const [short = '', ...meanings] of abbreviations) {
  others.set(short, meanings);
  others.set(meanings[0]!, [...(others.get(meanings[0]!) ?? []), short]);
}

/** The word in full, or its abbreviation. */
export const otherLengths = (word: string): readonly string[] => others.get(word) ?? [];

const [fewestLetters, mostLetters] = [2, 4];

/** The letters one by one of a word that is probably spelled when it is said: in capitals, or without a vowel. */
export function spelledOf(typed: string, word: string): readonly string[] {
  if (word.length < fewestLetters || word.length > mostLetters || !/^[a-z]+$/u.test(word) || others.has(word))
    return [];
  const isName = /^[^\p{Ll}]+$/u.test(typed) || !/[aeiouy]/u.test(word);
  return isName ? [Array.from(word).join(' ')] : [];
}
