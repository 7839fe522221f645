import { speakNumber, speakOrdinal } from './spoken-numbers.ts';

const spoken: Readonly<Record<string, string>> = {
  mr: 'mister',
  mrs: 'missus',
  ms: 'miz',
  dr: 'doctor',
  st: 'saint',
  etc: 'et cetera',
  vs: 'versus',
  '&': 'and',
  '%': 'percent',
  '+': 'plus',
  '=': 'equals',
  '@': 'at',
  '°': 'degrees',
};

const currencies: Readonly<Record<string, string>> = { $: 'dollars', '€': 'euros', '£': 'pounds' };

/** The spoken form of a written word, in words of the letters a to z; empty if it contains only punctuation. */
export function speakWord(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘`]/g, "'").toLowerCase();
  const currency = Object.keys(currencies).find((sign) => plain.includes(sign));
  const said = [
    ...plain.matchAll(/(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:st|nd|rd|th)?|[a-z]+(?:'[a-z]+)*'?|[&%+=@°]/g),
  ];
  const words = said.flatMap(([part]) => speakPart(part, plain));
  return currency && words.length > 0 ? [...words, currencies[currency]!] : words;
}

function speakPart(part: string, whole: string): string[] {
  if (/^\d/.test(part)) return speakDigits(part);
  // "St." means saint or street, but not inside another word.
  const isWhole = whole.replace(/[^a-z]/g, '') === part;
  const known = part.length === 1 || isWhole ? spoken[part] : undefined;
  return (known ?? part.replace(/'$/, '')).split(' ');
}

function speakDigits(text: string): string[] {
  const ordinal = /^([\d,]+)(?:st|nd|rd|th)$/.exec(text);
  if (ordinal) return speakOrdinal(ordinal[1]!.replaceAll(',', ''));
  const [whole = '', decimals] = text.replaceAll(',', '').split('.');
  if (decimals === undefined) return speakNumber(whole, !text.includes(','));
  return [...speakNumber(whole, false), 'point', ...decimals.split('').flatMap((digit) => speakNumber(digit, false))];
}
