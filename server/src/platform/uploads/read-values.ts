import { largestTalkgroup } from '@earshot/contract/radio';
import { latestEpoch, longTextLength, shortTextLength } from '@earshot/contract/values';

/*
 * Reads the values of forms that other programs send. A value that cannot be read counts as missing: a call must not be
 * lost because of it.
 */

/** Control characters cannot be shown, and NUL cannot be stored. */
const clean = (text: string): string =>
  text
    .replaceAll(/\p{Cc}/gu, ' ')
    .toWellFormed()
    .trim();

export const readShortText = (text: string | undefined): string | null =>
  clean(text ?? '').slice(0, shortTextLength) || null;

export const readLongText = (text: string | undefined): string | null =>
  clean(text ?? '').slice(0, longTextLength) || null;

/** A whole number from 1, or 0. Recorders also send `851012500.000000`. */
export function readNumber(value: unknown, largest = Number.MAX_SAFE_INTEGER): number {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!/^\d{1,16}(\.\d*)?$/.test(text)) return 0;
  const number = Math.trunc(Number(text));
  return number <= largest ? number : 0;
}

/** The milliseconds of a time in seconds since 1970; 0 if a clip cannot begin then. */
export const readEpochMs = (value: unknown): number => readNumber(value, latestEpoch) * 1000;

export const readTalkgroup = (value: unknown): number => readNumber(value, largestTalkgroup);

const mostListed = 1_000;

/** The numbers in a JSON list, of numbers or of objects with the number under `name`; without repeats. */
export function readNumbers(list: unknown, name?: string): readonly number[] {
  const entries = Array.isArray(list) ? list.slice(0, mostListed) : [];
  const numbers = entries.map((entry: unknown) =>
    readNumber(name !== undefined && typeof entry === 'object' && entry !== null ? Reflect.get(entry, name) : entry),
  );
  return [...new Set(numbers.filter((number) => number > 0))];
}

export const readTalkgroups = (list: unknown): readonly number[] =>
  readNumbers(list).filter((number) => number <= largestTalkgroup);

/** The value of a JSON text; undefined if it is none. */
export function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

export const isTrue = (value: unknown): boolean => value === true || value === 1 || value === '1' || value === 'true';

/** Letters, digits and some signs, for a serial. */
export const serialPart = (text: string): string =>
  text
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 24) || 'x';
