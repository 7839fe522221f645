/*
 * Guesses the pronunciation of English words that are not in the dictionary, mostly names. It need not be exact: the
 * aligner only needs the approximate length and the consonants.
 */

// prettier-ignore
const sounds: Readonly<Record<string, string>> = {
  tion: 'SH AH N', sion: 'ZH AH N', ough: 'AO', augh: 'AO', eigh: 'EY', tch: 'CH', sch: 'SH', igh: 'AY',
  dge: 'JH', eau: 'OW', ch: 'CH', sh: 'SH', th: 'TH', ph: 'F', wh: 'W', ck: 'K', ng: 'NG', qu: 'K W', gh: 'G',
  kn: 'N', wr: 'R', ee: 'IY', ea: 'IY', oo: 'UW', ai: 'EY', ay: 'EY', ei: 'EY', ey: 'IY', ie: 'IY', oa: 'OW',
  oe: 'OW', ou: 'AW', ow: 'OW', oi: 'OY', oy: 'OY', au: 'AO', aw: 'AO', ue: 'UW', ew: 'Y UW', ar: 'AA R',
  er: 'ER', ir: 'ER', ur: 'ER', or: 'AO R', a: 'AE', b: 'B', c: 'K', d: 'D', e: 'EH', f: 'F', g: 'G', h: 'HH',
  i: 'IH', j: 'JH', k: 'K', l: 'L', m: 'M', n: 'N', o: 'AA', p: 'P', q: 'K', r: 'R', s: 'S', t: 'T', u: 'AH',
  v: 'V', w: 'W', x: 'K S', y: 'IY', z: 'Z',
};

// prettier-ignore
const letterNames: Readonly<Record<string, string>> = {
  a: 'EY', b: 'B IY', c: 'S IY', d: 'D IY', e: 'IY', f: 'EH F', g: 'JH IY', h: 'EY CH', i: 'AY', j: 'JH EY',
  k: 'K EY', l: 'EH L', m: 'EH M', n: 'EH N', o: 'OW', p: 'P IY', q: 'K Y UW', r: 'AA R', s: 'EH S', t: 'T IY',
  u: 'Y UW', v: 'V IY', w: 'D AH B AH L Y UW', x: 'EH K S', y: 'W AY', z: 'Z IY',
};

const isUnvowelled = (word: string) => !/[aeiouy]/.test(word);

/** Phones in the dictionary's alphabet, for a word of the letters a to z and apostrophes. */
export function guessSounds(word: string): string {
  const letters = word.replace(/'/g, '');
  // A word without a vowel is spelled out: "BBC".
  if (isUnvowelled(letters))
    return letters
      .split('')
      .map((letter) => letterNames[letter]!)
      .join(' ');
  // Doubled consonants are pronounced once, and a final e not at all.
  const plain = letters.replace(/([^aeiou])\1/g, '$1').replace(/(?<=[aeiou][^aeiou]+)e$/, '');
  const found: string[] = [];
  for (let at = 0; at < plain.length;) {
    const length = [4, 3, 2].find((size) => sounds[plain.slice(at, at + size)] !== undefined) ?? 1;
    const letter = plain.slice(at, at + length);
    found.push(/^c[eiy]/.test(plain.slice(at)) ? 'S' : sounds[letter]!);
    at += length;
  }
  return found.join(' ');
}
