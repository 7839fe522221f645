import { writeKeyChange } from '@earshot/contract/audit-head';
import type { AuditLogKey } from '@earshot/contract/audit-log';
import type { NoteSigner } from '@earshot/contract/signed-note';
import { createNoteSigner, fingerprintOf, noteSignerOf, signNote } from '@earshot/contract/signed-note';
import type { Db } from '../../../platform/database/connect.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { insertSigningKey, listSigningKeys } from './key-queries.ts';
import type { LogRow } from './queries.ts';

const purpose = 'audit log key';

/** The key that signs now; the first call makes it. The caller has locked the log. */
export async function openSigner(tx: Db, secretBox: SecretBox): Promise<NoteSigner> {
  const newest = (await listSigningKeys(tx)).at(-1);
  if (newest?.sealedSeed) return noteSignerOf(Buffer.from(secretBox.open(newest.sealedSeed, purpose), 'base64'));
  const made = createNoteSigner();
  await insertSigningKey(tx, { ...storedSigner(secretBox, made), startSize: 0, note: null });
  return made;
}

const storedSigner = (secretBox: SecretBox, { publicKey, seed }: NoteSigner) => ({
  publicKey,
  sealedSeed: secretBox.seal(seed.toString('base64'), purpose),
});

/** Makes a new key, which the present one and the new one introduce. The caller has locked the log. */
export async function replaceSigner(tx: Db, secretBox: SecretBox, { origin, size }: LogRow): Promise<void> {
  const former = await openSigner(tx, secretBox);
  const made = createNoteSigner();
  const publicKey = made.publicKey.toString('base64');
  const change = writeKeyChange({ origin, size, publicKey, signedDate: new Date().toISOString() });
  const note = signNote(change, origin, [former, made]);
  await insertSigningKey(tx, { ...storedSigner(secretBox, made), startSize: size, note });
}

export async function describeKeys(db: Db): Promise<AuditLogKey[]> {
  return (await listSigningKeys(db)).map(({ publicKey, startSize, note }) => ({
    publicKey: publicKey.toString('base64'),
    fingerprint: fingerprintOf(publicKey),
    startSize,
    ...(note === null ? {} : { note }),
  }));
}
