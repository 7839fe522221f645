import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { Key } from './values.ts';

/*
 * Proof that recordings are stored, for a device that is going to remove its own copies. Over plain http anyone on the way
 * could answer that an upload has succeeded; only the server and the holder of the key can make this proof.
 */

export const mostProofs = 100;

const Nonce = Type.String({
  pattern: '^[A-Za-z0-9_-]{16,64}$',
  maxLength: 64,
  examples: ['8c7a54a4-6d02-4a5e-9f7e-6f7d5f0ad0a4'],
  description: 'Chosen at random for this request, 16 to 64 letters, digits, `-` and `_`, such as a UUID.',
});
const Hash = Type.String({
  pattern: '^[0-9A-Fa-f]{64}$',
  maxLength: 64,
  examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  description: 'SHA-256 of the recording, as 64 hexadecimal digits.',
});

const ProofRequest = Type.Object(
  {
    nonce: Nonce,
    recordings: Type.Array(Type.Object({ audioClipID: Key, sHA256Hash: Hash }, { title: 'UploadToProve' }), {
      minItems: 1,
      maxItems: mostProofs,
    }),
  },
  { title: 'UploadProofRequest' },
);
export type ProofRequest = Static<typeof ProofRequest>;

const UploadProof = Type.Object(
  {
    audioClipID: Key,
    sHA256Hash: Type.String({ description: 'In lower case.' }),
    isStored: Type.Boolean({
      examples: [true],
      description:
        'Whether the platform has, or had, exactly these bytes as the sound of the clip: also if retention removed them, or a ' +
        'person replaced them or took them away. False for a clip that you may not write.',
    }),
    proof: Type.Optional(
      Type.String({
        examples: ['5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592'],
        description: 'Only for an API key.',
      }),
    ),
  },
  { title: 'UploadProof' },
);
export type UploadProof = Static<typeof UploadProof>;

const UploadProofs = Type.Object({ nonce: Nonce, proofs: Type.Array(UploadProof) }, { title: 'UploadProofs' });
export type UploadProofs = Static<typeof UploadProofs>;

/**
 * What a proof signs. It differs from every text that a signed request signs (signing.ts): there the second line begins
 * with a slash, which a nonce cannot contain.
 */
export const proofText = (nonce: string, { audioClipID, sHA256Hash, isStored }: Omit<UploadProof, 'proof'>): string =>
  ['earshot-upload-proof-1', nonce, audioClipID, sHA256Hash.toLowerCase(), isStored ? 'stored' : 'not stored'].join(
    '\n',
  );

export const proveUploads = operation('upload', {
  method: 'POST',
  path: '/v1/upload/proof',
  summary: 'Prove that recordings are stored',
  description:
    'For a device that removes its copies. `proof` is the HMAC-SHA256 in hexadecimal digits, keyed with the secret of ' +
    'the API key in use, of five lines joined by newlines: `earshot-upload-proof-1`, the nonce, the clip, the hash in ' +
    'lower case, and `stored` or `not stored`. The proofs are in the order of the request.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  body: ProofRequest,
  answer: UploadProofs,
  trail: readsOnly,
});
