import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import type { UploadProof } from '@earshot/contract/upload-proof';
import { mostProofs, proofText } from '@earshot/contract/upload-proof';
import type { PlatformConnection } from './connection.ts';
import type { Trust } from './judge-answer.ts';
import { Unproven } from './network-fault.ts';

/*
 * Before this agent removes or forgets a recording, the platform proves that it has it. Over https the answer is enough,
 * because TLS proves who gives it. Over plain http the answer is keyed with the secret, which never travels there, over a
 * nonce that was never used before.
 */

export interface ProofRequester {
  readonly connection: Pick<PlatformConnection, 'isEncrypted'>;
  readonly trust: Pick<Trust, 'isMarking' | 'isProving' | 'setProving'>;
  readonly client: Pick<Client, 'proveUploads'>;
  readonly secretKey: string;
}

/** By a platform of the version before. */
const notOffered = 'notOffered';
export type Proof = 'stored' | 'missing' | typeof notOffered;

export type Prove = (audioClipID: number, sha256: string, signal: AbortSignal) => Promise<Proof>;

interface Question {
  readonly audioClipID: number;
  readonly sHA256Hash: string;
  readonly resolve: (proof: Proof) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Recordings that are asked for at one moment share requests: an agent that has lost its journal asks for all that it
 * finds. Rejects for a recording of which nothing is proven: the platform was not reached, or somebody else answered.
 */
export function createProver(requester: ProofRequester): Prove {
  const waiting = new Map<AbortSignal, Question[]>();
  const askAll = async (signal: AbortSignal): Promise<void> => {
    const questions = waiting.get(signal) ?? [];
    waiting.delete(signal);
    for (let at = 0; at < questions.length; at += mostProofs) {
      const together = questions.slice(at, at + mostProofs);
      await ask(requester, together, signal).catch((error: unknown) => {
        for (const { reject } of together) reject(error);
      });
    }
  };
  return (audioClipID, sHA256Hash, signal) =>
    new Promise((resolve, reject) => {
      const question = { audioClipID, sHA256Hash, resolve, reject };
      const others = waiting.get(signal);
      if (others) return void others.push(question);
      waiting.set(signal, [question]);
      queueMicrotask(() => void askAll(signal));
    });
}

async function ask(
  { connection, client, secretKey, trust }: ProofRequester,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<void> {
  const nonce = randomUUID();
  const recordings = questions.map(({ audioClipID, sHA256Hash }) => ({ audioClipID, sHA256Hash }));
  const given = await client.proveUploads({ body: { nonce, recordings } }, { signal }).catch((error: unknown) => {
    const isUnknown = error instanceof ApiError && [404, 405].includes(error.status);
    if (isUnknown && !trust.isMarking() && !trust.isProving()) return notOffered;
    throw error;
  });
  const proofs = typeof given === 'object' && Array.isArray(given.proofs) ? given.proofs : [];
  for (const [at, { audioClipID, sHA256Hash, resolve, reject }] of questions.entries()) {
    const proof = proofs[at];
    const isOfThis = proof?.audioClipID === audioClipID && proof.sHA256Hash === sHA256Hash;
    if (given === notOffered) resolve(notOffered);
    else if (proof && isOfThis && (connection.isEncrypted || isKeyed(proof, nonce, secretKey))) {
      // A full disk is no reason to doubt the platform.
      if (!trust.isProving()) await trust.setProving().catch(() => {});
      resolve(proof.isStored ? 'stored' : 'missing');
    } else reject(new Unproven(unproven));
  }
}

const unproven = 'the answer does not prove that the platform has the recording, because it was not made with the key';

function isKeyed({ proof = '', ...signed }: UploadProof, nonce: string, secretKey: string): boolean {
  const expected = createHmac('sha256', secretKey).update(proofText(nonce, signed)).digest();
  const received = Buffer.from(/^[0-9a-f]{64}$/.test(proof) ? proof : '', 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
