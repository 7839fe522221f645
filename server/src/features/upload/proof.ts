import { createHmac } from 'node:crypto';
import type { ProofRequest, UploadProofs } from '@earshot/contract/upload-proof';
import { proofText } from '@earshot/contract/upload-proof';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { readKeySecret } from '../caller/public.ts';
import { findStored } from './queries.ts';

export interface ProofParts {
  readonly db: Db;
  readonly secretBox: SecretBox;
}

/** Tells which recordings are stored, and proves it to a caller with an API key. */
export async function proveStored(
  { db, secretBox }: ProofParts,
  caller: Caller,
  { nonce, recordings }: ProofRequest,
): Promise<UploadProofs> {
  const secret = caller.apiKeyID === undefined ? undefined : await readKeySecret(db, secretBox, caller.apiKeyID);
  const wanted = recordings.map(({ audioClipID, sHA256Hash }) => ({
    audioClipID,
    sHA256Hash: sHA256Hash.toLowerCase(),
  }));
  const stored = await findStored(db, caller, wanted);
  const proofs = wanted.map((recording, at) => {
    const told = { ...recording, isStored: stored.has(at) };
    if (secret === undefined) return told;
    return { ...told, proof: createHmac('sha256', secret).update(proofText(nonce, told)).digest('hex') };
  });
  return { nonce, proofs };
}
