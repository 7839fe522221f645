import type { LanguageSetting } from '@earshot/contract/spoken-language';
import { invalidField, notFound } from '../../errors.ts';
import { requireCollection, requireDevice } from '../../access.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { LanguageScope } from './queries.ts';
import { findLanguages, holdScope, removeLanguages, writeLanguages } from './queries.ts';

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The tag in its usual form: `en-GB` for `EN-gb`. Undefined if it names no language. */
function canonicalTag(tag: string): string | undefined {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical !== undefined && names.of(canonical) !== undefined ? canonical : undefined;
  } catch {
    return undefined;
  }
}

async function requireRight(db: Db, caller: Caller, right: 'read' | 'write', scope: LanguageScope): Promise<void> {
  if (scope.level === 'device') await requireDevice(db, caller, right, scope.key);
  if (scope.level === 'collection') await requireCollection(db, caller, right, scope.key);
}

export async function readLanguages(db: Db, caller: Caller, scope: LanguageScope): Promise<LanguageSetting> {
  await requireRight(db, caller, 'read', scope);
  return findLanguages(db, scope);
}

export async function changeLanguages(
  db: Pool,
  caller: Caller,
  scope: LanguageScope,
  given: readonly string[],
): Promise<LanguageSetting> {
  const languages = given.map((tag, at) => {
    const canonical = canonicalTag(tag);
    if (canonical === undefined) throw invalidField(`languages[${at}]`, 'must be a language tag such as en or pt-BR');
    return canonical;
  });
  await requireRight(db, caller, 'write', scope);
  await inTransaction(db, async (tx) => {
    if (scope.level !== 'installation' && !(await holdScope(tx, scope))) throw notFound(scope.level, scope.key);
    if (languages.length === 0) await removeLanguages(tx, caller, scope);
    else await writeLanguages(tx, caller, scope, [...new Set(languages)]);
  });
  return findLanguages(db, scope);
}

/** The languages that the speech on a device may be in; empty: any. */
export async function findSpokenLanguages(db: Db, deviceID: number): Promise<readonly string[]> {
  return (await findLanguages(db, { level: 'device', key: deviceID })).appliedLanguages;
}
