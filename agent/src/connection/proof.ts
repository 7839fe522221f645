import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { UploadProof } from '@earshot/contract/upload-proof';
import { proofText } from '@earshot/contract/upload-proof';
import type { PlatformConnection } from './connection.ts';
import { NetworkFault } from './network-fault.ts';

/*
 * Before this agent removes or forgets a recording, the platform proves that it has it. Over https the answer is enough,
 * because TLS proves who gives it. Over plain http the answer is keyed with the secret, which never travels there, over a
 * nonce that was never used before.
 */

export interface ProofRequester {
  readonly connection: Pick<PlatformConnection, 'isEncrypted' | 'isMarking'>;
  readonly client: Pick<Client, 'proveUploads'>;
  readonly secretKey: string;
}

/** `notOffered`: by a platform of the version before. */
export type Proof = 'stored' | 'missing' | 'notOffered';

export type Prove = (audioClipID: number, sha256: string, signal: AbortSignal) => Promise<Proof>;

/** Throws if nothing is proven: the platform was not reached, or somebody else answered. */
export async function askForProof(
  { connection, client, secretKey }: ProofRequester,
  audioClipID: number,
  sHA256Hash: string,
  signal: AbortSignal,
): Promise<Proof> {
  const nonce = randomUUID();
  const body = { nonce, recordings: [{ audioClipID, sHA256Hash }] };
  let given: UploadProof | undefined;
  try {
    const answer = await client.proveUploads({ body }, { signal });
    given = Array.isArray(answer?.proofs) ? answer.proofs[0] : undefined;
  } catch (error) {
    const isUnknown = error instanceof ApiError && [404, 405].includes(error.status);
    if (isUnknown && !connection.isMarking()) return 'notOffered';
    throw error;
  }
  const isOfThis = given?.audioClipID === audioClipID && given.sHA256Hash === sHA256Hash;
  if (given === undefined || !isOfThis || !(connection.isEncrypted || isKeyed(given, nonce, secretKey)))
    throw new NetworkFault(
      'the answer does not prove that the platform has the recording, because it was not made with the key',
    );
  return given.isStored ? 'stored' : 'missing';
}

function isKeyed({ proof = '', ...signed }: UploadProof, nonce: string, secretKey: string): boolean {
  const expected = createHmac('sha256', secretKey).update(proofText(nonce, signed)).digest();
  const received = Buffer.from(/^[0-9a-f]{64}$/.test(proof) ? proof : '', 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
