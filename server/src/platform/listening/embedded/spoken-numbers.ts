const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1_000, 'thousand'],
  [100, 'hundred'],
] as const;
const ordinals: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

/** The words of a number; four digits may be a year, which is said in two halves. */
export function speakNumber(digits: string, mayBeYear: boolean): string[] {
  const value = Number(digits);
  // Long numbers, such as telephone numbers, are said digit by digit.
  if (digits.length > 9 || (digits.length > 1 && digits.startsWith('0'))) {
    return digits.split('').map((digit) => ones[Number(digit)]!);
  }
  const isYear = mayBeYear && value >= 1100 && value < 2000 && digits.length === 4;
  if (!isYear) return count(value);
  const rest = value % 100;
  const end = rest === 0 ? ['hundred'] : rest < 10 ? ['oh', ...count(rest)] : count(rest);
  return [...count(Math.floor(value / 100)), ...end];
}

export function speakOrdinal(digits: string): string[] {
  const words = speakNumber(digits, false);
  const last = words.at(-1)!;
  const ending = ordinals[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words.slice(0, -1), ending];
}

function count(value: number): string[] {
  if (value < 20) return [ones[value]!];
  const scale = scales.find(([size]) => value >= size);
  if (!scale) {
    const rest = value % 10;
    return [tens[Math.floor(value / 10) - 1]!, ...(rest === 0 ? [] : count(rest))];
  }
  const [size, name] = scale;
  const rest = value % size;
  return [...count(Math.floor(value / size)), name, ...(rest === 0 ? [] : count(rest))];
}
