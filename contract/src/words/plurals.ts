/* The plural of an English noun, and the singular of a plural. */

const irregular =
  `man men|woman women|child children|person people|foot feet|tooth teeth|goose geese|mouse mice|ox oxen|
knife knives|wife wives|life lives|leaf leaves|wolf wolves|shelf shelves|half halves|thief thieves|loaf loaves|calf calves|
scarf scarves|self selves|elf elves|hoof hooves|crisis crises|analysis analyses|basis bases|emergency emergencies|
fireman firemen|firewoman firewomen|policeman policemen|policewoman policewomen|workman workmen|gentleman gentlemen|
grandchild grandchildren|louse lice|medium media|criterion criteria|phenomenon phenomena|axis axes|diagnosis diagnoses`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string]);

/** Words that end like a plural and are not the plural of the word without the ending. */
const notPlural = new Set(
  `always as besides does downstairs goes gas has hers his its less lens means news ours outdoors perhaps series
sometimes species thanks theirs this thus towards upstairs us was yes yours afterwards indoors overseas whereas
alias atlas bias canvas christmas cosmos chaos texas kansas arkansas dallas paris james thomas`.split(/\s+/u),
);

const others = new Map<string, readonly string[]>();
for (const [one, many] of irregular) {
  others.set(one, [...(others.get(one) ?? []), many]);
  others.set(many, [...(others.get(many) ?? []), one]);
}

const shortestNoun = 3;
/** Shorter parts, such as those of "ses", are in nearly every text. */
const isNoun = (word: string): boolean => word.length >= shortestNoun;

/** The other number of the word. A plural that begins with its singular is left out: it contains the word. */
export function otherNumbers(word: string): readonly string[] {
  const known = others.get(word);
  if (known) return known;
  if (!isNoun(word) || !/^[a-z]+$/u.test(word) || notPlural.has(word)) return [];
  if (/[^aeiou]y$/u.test(word)) return [`${word.slice(0, -1)}ies`];
  if (/(?:[iu]s|ss|ics)$/u.test(word) || !word.endsWith('s')) return [];
  if (/[^aeiou]ies$/u.test(word) && word.length > 4) return [`${word.slice(0, -3)}y`];
  if (/(?:s|x|z|ch|sh|o)es$/u.test(word)) return [word.slice(0, -2), word.slice(0, -1)].filter(isNoun);
  return [word.slice(0, -1)];
}

/** The regular plurals of a word that is not one itself. They begin with it, or with all of it but a `y`. */
export function pluralsOf(word: string): readonly string[] {
  if (others.has(word) || notPlural.has(word) || !isNoun(word) || !/^[a-z]+$/u.test(word)) return [];
  if (/[^aeiou]y$/u.test(word)) return [`${word.slice(0, -1)}ies`];
  if (/(?:s|x|z|ch|sh)$/u.test(word)) return otherNumbers(word).length > 0 ? [] : [`${word}es`];
  return [`${word}s`, ...(word.endsWith('o') ? [`${word}es`] : [])].filter((plural) => !notPlural.has(plural));
}
