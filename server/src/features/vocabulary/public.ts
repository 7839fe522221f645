import { comparable, readWords } from '@earshot/contract/search-words';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findEntries, findTermsForDevice } from './queries.ts';

/** More would slow the engines down; terms of device groups come before those of the installation. */
const mostForDevice = 1_000;

/** The terms that the engine expects in clips of a device. */
export const findVocabulary = (db: Db, deviceID: number): Promise<readonly string[]> =>
  findTermsForDevice(db, deviceID, mostForDevice);

/** How forms are compared: case, accents, blanks and punctuation do not matter. */
const keyOf = (text: string): string => comparable(readWords(text)).replaceAll(' ', '');

/**
 * The other forms of the texts that are a term, or a form of a term, in a vocabulary that the caller may read. Texts
 * without other forms are left out.
 */
export async function findVariants(
  db: Db,
  caller: Caller,
  texts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const keys = new Map(texts.map((text) => [text, keyOf(text)]));
  const entries = (await findEntries(db, caller, [...new Set(keys.values())])).map((forms) =>
    forms.map((form) => ({ key: keyOf(form), words: comparable(readWords(form)).trim() })),
  );
  const variants = new Map<string, readonly string[]>();
  for (const [text, key] of keys) {
    const forms = entries.filter((entry) => entry.some((form) => form.key === key)).flat();
    const others = forms.filter((form) => form.key !== key && form.key !== '').map(({ words }) => words);
    if (others.length > 0) variants.set(text, [...new Set(others)]);
  }
  return variants;
}
