import { canine, patternOfCode } from './codes.ts';
import { isDesignator, isRunway, lettersAfter, lettersBefore, longestDesignator } from './designators.ts';
import { clockTime, heightPattern, relativeMinutes } from './measures.ts';
import { countNumberWords, formsOfNumber, valueOfNumber } from './numbers.ts';
import type { Pattern } from './pattern.ts';
import { spelledLetter } from './spelling.ts';

/*
 * Several words of a search that are said or written in another way together:
 *
 *   adam boy charles 123      ABC123
 *   engine 2774               E2774
 *   runway two seven left     27L
 *   half past five            5:30
 *   miles per hour            mph
 */

/** Words that mean the same. */
const same: readonly (readonly string[])[] = [
  ['mph', 'miles per hour', 'miles an hour'],
  ['kph', 'kmh', 'km h', 'kilometers per hour', 'kilometres per hour', 'kilometers an hour', 'kilometres an hour'],
  canine,
];

/** The other ways to say these words; undefined if there are none. */
export function patternOfRun(words: readonly string[]): Pattern | undefined {
  const text = words.join(' ');
  const equal = same.find((forms) => forms.includes(text));
  if (equal) return [equal.filter((form) => form !== text)];
  return (
    readSpelled(words) ?? readDesignator(words) ?? readRunway(words) ?? readRelativeTime(words) ?? readHeightRun(words)
  );
}

const fewestLetters = 3;

/** Words of an alphabet: at least three, or beside a number. Three letters beside a number of three digits are spelled too. */
function readSpelled(words: readonly string[]): Pattern | undefined {
  const spelled = words
    .join(' ')
    .replaceAll(/\bx ray\b/gu, 'x')
    .split(' ')
    .map((word) => spelledLetter(word) ?? word);
  const isCode = /^[0-9]{3,4} [a-z]{3}$|^(?:[0-9] )?[a-z]{3} [0-9]{3,4}$/u.test(words.join(' '));
  if (isCode) return patternOfCode([words.join('')]);
  let letters = 0;
  let hasNumber = false;
  for (let at = 0; at < spelled.length;) {
    const numbers = countNumberWords(spelled, at);
    if (numbers > 0) hasNumber = true;
    else if (/^[a-z]$/u.test(spelled[at]!)) letters += 1;
    else return undefined;
    at += Math.max(1, numbers);
  }
  const isFound = words.some((word) => spelledLetter(word) !== undefined) && letters >= (hasNumber ? 1 : fewestLetters);
  return isFound ? patternOfCode(spelled) : undefined;
}

/** Words that are short for letters, and a number. */
function readDesignator(words: readonly string[]): Pattern | undefined {
  const [first = '', ...rest] = words;
  if (isDesignator(first) && rest.length > 0 && countNumberWords(rest, 0) === rest.length)
    return patternOfCode([`${first}${formsOfNumber(rest)[0]!}`]);
  for (let count = Math.min(longestDesignator, words.length - 1); count > 0; count--) {
    const letters = lettersBefore(words.slice(0, count).join(' '));
    const number = words.slice(count);
    if (letters.length === 0 || countNumberWords(number, 0) < number.length) continue;
    const forms = formsOfNumber(number);
    return [[...letters.map((some) => `${some}${forms[0]!}`), [letters, forms]]];
  }
  return undefined;
}

/** `runway 27L` and `runway two seven left`, with or without the word. */
function readRunway([first, ...words]: readonly string[]): Pattern | undefined {
  if (first !== 'runway' || words.length === 0) return undefined;
  const last = lettersAfter(words.at(-1)!);
  const code = last === undefined ? words : [formsOfNumber(words.slice(0, -1))[0] ?? '', last];
  return /^[0-9]{1,2}[lrc]$/u.test(code.join('')) && isRunway(code.join('').slice(0, -1))
    ? patternOfCode([code.join('')])
    : undefined;
}

/** `half past five` and `quarter to six`. */
function readRelativeTime(words: readonly string[]): Pattern | undefined {
  const [minute, isBefore] = relativeMinutes.get(words.slice(0, 2).join(' ')) ?? [];
  const hour = valueOfNumber(words.slice(2));
  if (minute === undefined || hour === undefined || hour < 1 || hour > 12) return undefined;
  return clockTime(isBefore ? ((hour + 10) % 12) + 1 : hour, minute);
}

const unitsOfLength = new Set(['foot', 'feet', 'ft']);
const inches = new Set(['in', 'inch', 'inches']);

/** `six foot two`, `6 ft 2 in`. */
function readHeightRun(words: readonly string[]): Pattern | undefined {
  const at = words.findIndex((word) => unitsOfLength.has(word));
  const after = words.slice(at + 1, inches.has(words.at(-1)!) ? -1 : undefined);
  const [feet, more] = at < 1 ? [] : [valueOfNumber(words.slice(0, at)), valueOfNumber(after)];
  if (feet === undefined || more === undefined || feet < 3 || feet > 8 || more > 11) return undefined;
  return heightPattern(feet, more);
}
