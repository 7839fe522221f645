import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findForms, findTermsForDevice } from './queries.ts';

/** More would slow the engines down; terms of device groups come before those of the installation. */
const mostForDevice = 1_000;

/** The terms that the engine expects in clips of a device. */
export const findVocabulary = (db: Db, deviceID: number): Promise<readonly string[]> =>
  findTermsForDevice(db, deviceID, mostForDevice);

/** The other terms and forms under which a text must be searched too; none if it is no term and no form of one. */
export async function findVariants(db: Db, caller: Caller, text: string): Promise<readonly string[]> {
  const forms = (await findForms(db, caller, text)).flat();
  const variants = new Map(forms.map((form) => [form.toLowerCase(), form]));
  variants.delete(text.toLowerCase());
  return [...variants.values()];
}
