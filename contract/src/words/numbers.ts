/*
 * Numbers in digits and in English words. A number that was said can be written in several ways, and a search in any of
 * them finds the others:
 *
 *   911    9 1 1    nine one one    nine eleven    nine hundred eleven    nine hundred and eleven
 *   1st    first
 */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const smallOrdinals =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );

const values = new Map([
  ...small.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, 20 + at * 10] as const),
  ['oh', 0] as const,
  ['niner', 9] as const,
]);

/** The cardinal of each ordinal that is one word. */
const cardinals = new Map([
  ...smallOrdinals.map((word, value) => [word, small[value]!] as const),
  ...tens.map((word) => [`${word.slice(0, -1)}ieth`, word] as const),
  ['hundredth', 'hundred'] as const,
  ['thousandth', 'thousand'] as const,
]);

const isDigits = /^[0-9]{1,12}$/u;
const digitOrdinal = /^([1-9][0-9]{0,5})(?:st|nd|rd|th)$/u;
const decimal = /^([0-9]{1,6})\.([0-9]{1,6})$/u;

const isScale = (word: string | undefined): boolean => word === 'hundred' || word === 'thousand';
const isCardinal = (word: string | undefined): boolean =>
  word !== undefined && (values.has(word) || isScale(word) || isDigits.test(word));
const isOrdinal = (word: string): boolean => cardinals.has(word) || digitOrdinal.test(word);

const isPoint = (word: string): boolean => word === 'point' || word === 'decimal';

/** Whether a word between two others continues a number: `hundred and eleven`, `three point five`. */
const isLink = (word: string, before: string | undefined, after: string | undefined): boolean =>
  (word === 'and' && isScale(before) && after !== undefined && (isCardinal(after) || isOrdinal(after))) ||
  (isPoint(word) && isCardinal(before) && isCardinal(after));

const mostWords = 12;

/** How many of the words, from this one on, say one number or a sequence of numbers. */
export function countNumberWords(words: readonly string[], from: number): number {
  let count = 0;
  while (count < mostWords) {
    const [before, word, after] = [words[from + count - 1], words[from + count], words[from + count + 1]];
    if (word === undefined) break;
    if (isOrdinal(word)) return count + 1;
    if (!isCardinal(word) && !(count > 0 && isLink(word, before, after))) break;
    count += 1;
  }
  return count;
}

/** The numbers that the words say, in digits: `nineteen eighty four` are 19 and 84. */
function readChunks(words: readonly string[]): string[] {
  const chunks: string[] = [];
  let [total, current]: [number, number | undefined] = [0, undefined];
  let last = '';
  const start = (value: number | undefined) => {
    if (current !== undefined || total > 0) chunks.push(String(total + (current ?? 0)));
    [total, current] = [0, value];
  };
  for (const [at, word] of words.entries()) {
    const value = values.get(word);
    const isFactor = isDigits.test(word) && isScale(words[at + 1]) && /^[1-9][0-9]{0,2}$/u.test(word);
    if (word === 'and') continue;
    if (isFactor) start(Number(word));
    else if (isDigits.test(word)) {
      start(undefined);
      chunks.push(word);
    } else if (value === 0) {
      start(undefined);
      chunks.push('0');
    } else if (value !== undefined) {
      const isUnitOfTens = value < 10 && tens.includes(last);
      if (isUnitOfTens || isScale(last)) current = (current ?? 0) + value;
      else start(value);
    } else if (word === 'hundred') {
      if (current !== undefined && current > 0 && current < 100) current *= 100;
      else start(100);
    } else if (word === 'thousand') {
      if (current !== undefined && current > 0 && total === 0) [total, current] = [current * 1_000, undefined];
      else {
        start(undefined);
        total = 1_000;
      }
    }
    last = word;
  }
  start(undefined);
  return chunks;
}

const join = (...words: readonly string[]): string => words.filter(Boolean).join(' ');

const underHundred = (value: number): string => {
  if (value < 20) return small[value]!;
  return join(tens[Math.floor(value / 10) - 2]!, value % 10 === 0 ? '' : small[value % 10]!);
};

const underThousand = (value: number, and: string): string => {
  if (value < 100) return underHundred(value);
  const rest = value % 100;
  return join(small[Math.floor(value / 100)]!, 'hundred', ...(rest === 0 ? [] : [and, underHundred(rest)]));
};

const largestCardinal = 999_999;

function cardinalOf(value: number, and: string): string {
  if (value < 1_000) return underThousand(value, and);
  const rest = value % 1_000;
  const after = rest === 0 ? [] : [rest < 100 ? and : '', underThousand(rest, and)];
  return join(underThousand(Math.floor(value / 1_000), and), 'thousand', ...after);
}

const inDigits = (digits: string): string => Array.from(digits, (digit) => small[Number(digit)]!).join(' ');
const withOh = (words: string): string => words.replaceAll('zero', 'oh');
/** As pilots say it. */
const withNiner = (words: string): string => words.replaceAll('nine', 'niner');

/** As years and times are said: nineteen eighty four, ten oh five, zero seven thirty. */
function pairsOf(digits: string): string[] {
  const cut = digits.length - 2;
  const said = (pair: string) => (pair.startsWith('0') ? inDigits(pair) : underHundred(Number(pair)));
  const pairs = join(said(digits.slice(0, cut)), said(digits.slice(cut)));
  return [withOh(pairs), pairs];
}

function formsOfDigits(digits: string): string[] {
  const forms = [digits];
  const value = Number(digits);
  const hasCardinal = value <= largestCardinal && (digits === '0' || !digits.startsWith('0'));
  for (const and of hasCardinal ? ['', 'and'] : []) {
    const cardinal = cardinalOf(value, and);
    forms.push(cardinal, cardinal.replace(/^one (?=hundred|thousand)/u, 'a '));
    const hundreds = Math.floor(value / 100);
    if (hundreds > 10 && hundreds < 100 && hundreds % 10 > 0)
      forms.push(
        join(underHundred(hundreds), 'hundred', ...(value % 100 === 0 ? [] : [and, underHundred(value % 100)])),
      );
  }
  if (digits.length === 1) return forms;
  forms.push(Array.from(digits).join(' '), inDigits(digits), withOh(inDigits(digits)), withNiner(inDigits(digits)));
  if ((digits.length === 3 || digits.length === 4) && !digits.endsWith('00'))
    forms.push(...pairsOf(digits), `${digits.slice(0, -2)} ${digits.slice(-2)}`);
  if (hasCardinal && value >= 1_000) forms.push(`${digits.slice(0, -3)} ${digits.slice(-3)}`);
  // Telephone numbers.
  if (digits.length === 7) forms.push(`${digits.slice(0, 3)} ${digits.slice(3)}`);
  if (digits.length === 10) forms.push(`${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`);
  return forms;
}

const suffixOf = (value: number): string => {
  if (Math.floor(value / 10) % 10 === 1) return 'th';
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th';
};

const ordinalWords = new Map([...cardinals].map(([ordinal, cardinal]) => [cardinal, ordinal]));

/** The forms of a day of a month, as a number and as an ordinal; undefined if the words are none. */
export function formsOfDay(words: readonly string[]): readonly string[] | undefined {
  if (words.length === 0 || countNumberWords(words, 0) < words.length) return undefined;
  const cardinal = isOrdinal(words.at(-1)!) ? formsOfOrdinal(words)[0]?.replace(/[a-z]+$/u, '') : undefined;
  const [day, ...more] = cardinal === undefined ? readChunks(words) : [cardinal];
  if (day === undefined || more.length > 0 || !/^0?[1-9]$|^[12][0-9]$|^3[01]$/u.test(day)) return undefined;
  const value = String(Number(day));
  return [
    ...new Set([day, value, ...formsOfOrdinal([`${value}${suffixOf(Number(day))}`]), cardinalOf(Number(day), '')]),
  ];
}

function formsOfOrdinal(words: readonly string[]): string[] {
  const last = words.at(-1)!;
  const digits = digitOrdinal.exec(last)?.[1];
  const chunks = digits ? [digits] : readChunks([...words.slice(0, -1), cardinals.get(last)!]);
  const value = Number(chunks[0]);
  if (chunks.length > 1 || (digits && words.length > 1) || value > largestCardinal) return [];
  const said = ['', 'and'].map((and) => {
    const parts = cardinalOf(value, and).split(' ');
    return [...parts.slice(0, -1), ordinalWords.get(parts.at(-1)!) ?? ''].join(' ');
  });
  return [`${value}${suffixOf(value)}`, ...said];
}

/** Frequencies are said digit by digit: one four six point five two, one forty six decimal five two. */
function formsOfDecimal(whole: string, part: string): string[] {
  if (!isDigits.test(whole) || !isDigits.test(part)) return [];
  const wholes = [cardinalOf(Number(whole), ''), inDigits(whole), ...(whole.length === 3 ? pairsOf(whole) : [])];
  const parts = [inDigits(part), withOh(inDigits(part)), ...(part.length === 2 ? [underHundred(Number(part))] : [])];
  return [
    `${whole} ${part}`,
    ...['point', 'decimal'].flatMap((sign) =>
      wholes.flatMap((before) => parts.map((after) => `${before} ${sign} ${after}`)),
    ),
  ];
}

const mostDigits = 12;

/** The value of words that say one number of up to three digits. */
export function valueOfNumber(words: readonly string[]): number | undefined {
  if (words.length === 0 || countNumberWords(words, 0) < words.length || isOrdinal(words.at(-1)!)) return undefined;
  const chunks = words.some(isPoint) ? [] : readChunks(words);
  return chunks.length === 1 && chunks[0]!.length <= 3 ? Number(chunks[0]) : undefined;
}

/** All ways to write or say the number, each as words for comparison. */
export function formsOfNumber(words: readonly string[]): readonly string[] {
  if (isOrdinal(words.at(-1)!)) return [...new Set(formsOfOrdinal(words))];
  const point = words.findIndex(isPoint);
  if (point > 0) {
    const [whole, part] = [readChunks(words.slice(0, point)), readChunks(words.slice(point + 1))];
    return formsOfDecimal(whole.join(''), part.join(''));
  }
  const chunks = readChunks(words);
  const digits = chunks.join('');
  const forms = digits.length <= mostDigits ? formsOfDigits(digits) : [];
  if (chunks.length > 1) {
    const said = (chunk: string) =>
      /^[1-9][0-9]{0,2}$/u.test(chunk) ? cardinalOf(Number(chunk), '') : inDigits(chunk);
    forms.push(chunks.join(' '), chunks.map(said).join(' '));
  }
  return [...new Set(forms)];
}

/** The same for a text such as `3.5`, whose sign matters; undefined if it is not a decimal number. */
export function formsOfDecimalText(text: string): readonly string[] | undefined {
  const [, whole, part] = decimal.exec(text) ?? [];
  return whole !== undefined && part !== undefined ? formsOfDecimal(whole, part) : undefined;
}
