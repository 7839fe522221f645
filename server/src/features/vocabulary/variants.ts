import { comparable, readWords } from '@earshot/contract/words/public';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findEntries } from './queries.ts';

/** How forms are compared: case, accents, blanks and punctuation do not matter. */
const keyOf = (text: string): string => comparable(readWords(text)).replaceAll(' ', '');

/**
 * The other forms of the texts that are a term, or a form of a term, in a vocabulary that the caller may read. Texts
 * without other forms are left out.
 */
export async function listOtherForms(
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
