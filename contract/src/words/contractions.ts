/*
 * Two words that are often said as one: they are, they're. Apostrophes are ignored, so those that become another word are
 * left out: we're, it's, I'll, she'd.
 */

const pairs = [
  ...pairsOf('i', 'am', 'm'),
  ...pairsOf('you they', 'are', 're'),
  ...pairsOf('he she that there here who what where', 'is', 's'),
  ...pairsOf('he she that there who what where', 'has', 's'),
  ...pairsOf('you it they that who', 'will', 'll'),
  ...pairsOf('i you we they who', 'have', 've'),
  ...pairsOf('you they who', 'would', 'd'),
  ...pairsOf('you they who', 'had', 'd'),
  ...pairsOf('do does did is are was were has have had would could should must need', 'not', 'nt'),
  ['can not', 'cant'],
  ['will not', 'wont'],
] as const;

function pairsOf(firsts: string, second: string, ending: string): (readonly [string, string])[] {
  return firsts.split(' ').map((first) => [`${first} ${second}`, `${first}${ending}`] as const);
}

const short = new Map<string, string>(pairs);

/** The short form of two words; undefined if there is none. */
export const contractionOf = (words: string): string | undefined => short.get(words);

/** The two words of a short form. `he's` may be `he is` or `he has`. */
export const longFormsOf = (word: string): readonly string[] =>
  pairs.filter(([, contraction]) => contraction === word).map(([long]) => long);
