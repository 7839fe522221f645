import { signNote } from '@earshot/contract/signed-note';
import { openSigner } from './keys.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { lockLog } from './queries.ts';
import type { SealParts } from './seal.ts';

/**
 * Signs a text of another kind than a head with the key of the installation, as a note. Its first line names its kind,
 * so that it cannot be taken for a head.
 */
export async function signStatement({ db, secretBox }: SealParts, text: string): Promise<string> {
  return inTransaction(db, async (tx) => {
    const log = await lockLog(tx, true);
    if (!log) throw new Error('the audit log has no row');
    return signNote(text, log.origin, [await openSigner(tx, secretBox)]);
  });
}
