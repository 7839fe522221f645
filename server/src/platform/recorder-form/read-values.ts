import { largestTalkgroup } from '@earshot/contract/radio';
import { latestEpoch, longTextLength, shortTextLength } from '@earshot/contract/values';

/*
 * Reads the values of forms that other programs send. A value that cannot be read counts as missing: a call must not be
 * lost because of it.
 */

/** Control characters cannot be shown. NUL cannot be stored, nor half of a character, which a cut may leave. */
const clean = (text: string, most: number): string =>
  text
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();

export const readShortText = (text: string | undefined): string | null => clean(text ?? '', shortTextLength) || null;

const readLongText = (text: string | undefined): string | null => clean(text ?? '', longTextLength) || null;

/** Recorders write these where a name is unknown: SDRTrunk `null`, trunk-recorder `-`. */
const noNames = new Set(['null', '-']);

const named = (name: string | null): string | null => (name === null || noNames.has(name.toLowerCase()) ? null : name);

/** A label, tag or name; null if there is none. */
export const readName = (text: string | undefined): string | null => named(readShortText(text));

export const readLongName = (text: string | undefined): string | null => named(readLongText(text));

const mostGroups = 20;

/** A list of names, as JSON or separated by commas. */
export function readNames(text: string | undefined): readonly string[] {
  const list = readJson(text);
  const entries: readonly unknown[] = Array.isArray(list) ? list : (text ?? '').split(',');
  const names = entries.flatMap((entry) => (typeof entry === 'string' ? (readName(entry) ?? []) : []));
  return [...new Set(names)].slice(0, mostGroups);
}

/** A whole number from 1, or 0. Recorders also send `851012500.000000`. */
export function readNumber(value: unknown, largest = Number.MAX_SAFE_INTEGER): number {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  if (!/^\d{1,16}(\.\d*)?$/.test(text)) return 0;
  const number = Math.trunc(Number(text));
  return number <= largest ? number : 0;
}

/** The milliseconds of a time in seconds since 1970; 0 if a clip cannot begin then. */
export const readEpochMs = (value: unknown): number => readNumber(value, latestEpoch) * 1000;

/**
 * A time that is sent in seconds, and beside it more exactly in milliseconds since 1970. The exact one counts if it
 * means the same second.
 */
export function readExactMs(secondsMs: number, exact: unknown): number {
  const ms = readNumber(exact, latestEpoch * 1000);
  const isSame = secondsMs === 0 || Math.abs(ms - secondsMs) < 1000;
  return ms > 0 && isSame ? ms : secondsMs;
}

export const readTalkgroup = (value: unknown): number => readNumber(value, largestTalkgroup);

const mostListed = 1_000;

/** The first of these fields that an entry of a list has. */
const fieldOf = (entry: unknown, names: readonly string[]): unknown =>
  typeof entry === 'object' && entry !== null
    ? names.map((name) => Reflect.get(entry, name) as unknown).find((value) => value !== undefined && value !== null)
    : undefined;

const entriesOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list.slice(0, mostListed) : []);

/** The numbers in a JSON list, of numbers or of objects with the number under one of the names; without repeats. */
function readNumbers(list: unknown, ...names: readonly string[]): readonly number[] {
  const numbers = entriesOf(list).map((entry) => readNumber(fieldOf(entry, names) ?? entry));
  return [...new Set(numbers.filter((number) => number > 0))];
}

/**
 * How recorders name the radio in an entry: `src` (trunk-recorder), `UnitRef` (rdio-scanner 7, as Go writes it, with an
 * `Id` that is the key of a row) or `id` (the form that rdio-scanner 7 reads).
 */
const unitFields = ['src', 'UnitRef', 'unitRef', 'id'] as const;
const unitLabelFields = ['tag', 'label', 'Label'] as const;

/** A radio that transmitted, with the name that the recorder has for it. */
export interface ReadUnit {
  readonly unit: number;
  readonly label: string | null;
}

/** The radios in a JSON list, without repeats; the first name of each counts. */
export function readUnits(list: unknown): readonly ReadUnit[] {
  const units = new Map<number, string | null>();
  for (const entry of entriesOf(list)) {
    const unit = readNumber(fieldOf(entry, unitFields) ?? entry);
    if (unit === 0) continue;
    const label = fieldOf(entry, unitLabelFields);
    units.set(unit, units.get(unit) ?? (typeof label === 'string' ? readName(label) : null));
  }
  return [...units].map(([unit, label]) => ({ unit, label }));
}

/** The frequencies in a JSON list, in hertz, without repeats. */
export const readFrequencies = (list: unknown): readonly number[] =>
  readNumbers(list, 'freq', 'Frequency', 'frequency');

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
