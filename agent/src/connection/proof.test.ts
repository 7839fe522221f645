import { createHmac } from 'node:crypto';
import { ApiError } from '@earshot/client/api-error';
import type { ProofRequest, UploadProofs } from '@earshot/contract/upload-proof';
import { proofText } from '@earshot/contract/upload-proof';
import { expect, test, vi } from 'vitest';
import { failureOf, secretKey } from '../testing/scripted-platform.ts';
import { Unproven } from './network-fault.ts';
import { createProver } from './proof.ts';

const proofParts = (proofs: object[], isEncrypted = false) => ({
  connection: { isEncrypted },
  trust: { isMarking: () => true, isProving: () => true, setProving: async () => {} },
  client: { proveUploads: async ({ body }: { body: { nonce: string } }) => ({ nonce: body.nonce, proofs }) as never },
  secretKey,
});
const hash = 'ab'.repeat(32);
const never = new AbortController().signal;

test('a proof with another key, of another clip or without a key proves nothing over http', async () => {
  const told = { audioClipID: 5, sHA256Hash: hash, isStored: true };
  for (const proofs of [
    [],
    [told],
    [{ ...told, proof: '' }],
    [{ ...told, proof: 'cd'.repeat(32) }],
    [{ ...told, audioClipID: 6, proof: 'cd'.repeat(32) }],
    [null],
  ] as object[][])
    expect(await failureOf(createProver(proofParts(proofs))(5, hash, never))).toBeInstanceOf(Unproven);
  expect(await createProver(proofParts([told], true))(5, hash, never)).toBe('stored');
});

test.each([
  [false, false, 'notOffered'],
  [true, false, 'an error'],
  [false, true, 'an error'],
])(
  'an address that marks (%s) or once proved (%s) and says that it has no proof: %s',
  async (isMarking, isProving, is) => {
    const gone = ApiError.from(new Response('', { status: 404 }), '');
    const client = { proveUploads: () => Promise.reject(gone) };
    const trust = { isMarking: () => isMarking, isProving: () => isProving, setProving: async () => {} };
    const asking = createProver({ connection: { isEncrypted: false }, client, trust, secretKey })(5, hash, never);
    if (is === 'notOffered') expect(await asking).toBe('notOffered');
    else expect(await failureOf(asking)).toBe(gone);
  },
);

test('only a proof with the key makes an address one that proves', async () => {
  const setProving = vi.fn<() => Promise<void>>(() => Promise.reject(new Error('no space left on device')));
  const trust = { isMarking: () => false, isProving: () => false, setProving };
  const told = { audioClipID: 5, sHA256Hash: hash, isStored: true };
  const ask = (makeProof: (nonce: string) => string) => {
    const client = {
      proveUploads: async ({ body: { nonce } }: { body: { nonce: string } }) =>
        ({ nonce, proofs: [{ ...told, proof: makeProof(nonce) }] }) as never,
    };
    return createProver({ connection: { isEncrypted: false }, client, trust, secretKey })(5, hash, never);
  };
  expect(await failureOf(ask(() => 'cd'.repeat(32)))).toBeInstanceOf(Unproven);
  expect(setProving).not.toHaveBeenCalled();
  // A full disk is no reason to doubt it.
  expect(await ask((nonce) => createHmac('sha256', secretKey).update(proofText(nonce, told)).digest('hex'))).toBe(
    'stored',
  );
  expect(setProving).toHaveBeenCalledTimes(1);
});

const hashOfClip = (audioClipID: number): string => audioClipID.toString(16).padStart(64, '0');

/** A platform that has the clips with even keys, and gives a wrong proof for clip 7. */
function makePlatform({ failsAt = 0 } = {}) {
  const sizes: number[] = [];
  const proveUploads = async ({ body: { nonce, recordings } }: { body: ProofRequest }): Promise<UploadProofs> => {
    sizes.push(recordings.length);
    if (sizes.length === failsAt) throw new TypeError('fetch failed');
    const proofs = recordings.map((recording) => {
      const told = { ...recording, isStored: recording.audioClipID % 2 === 0 };
      const key = recording.audioClipID === 7 ? 'another key' : secretKey;
      return { ...told, proof: createHmac('sha256', key).update(proofText(nonce, told)).digest('hex') };
    });
    return { nonce, proofs };
  };
  const trust = { isMarking: () => true, isProving: () => true, setProving: async () => {} };
  const connection = { isEncrypted: false };
  return { sizes, prove: createProver({ connection, client: { proveUploads }, trust, secretKey }) };
}

test('recordings that are asked for at one moment share requests, and each has its own answer', async () => {
  const { sizes, prove } = makePlatform();
  const clips = Array.from({ length: 250 }, (_, at) => at);
  const answers = await Promise.all(clips.map((clip) => failureOf(prove(clip, hashOfClip(clip), never))));
  expect(sizes).toEqual([100, 100, 50]);
  expect(answers[7]).toBeInstanceOf(Unproven);
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(await Promise.all([0, 1].map((clip) => prove(clip, hashOfClip(clip), never)))).toEqual(['stored', 'missing']);
  expect(sizes).toEqual([100, 100, 50, 2]);
});

test('a request that fails proves nothing for its own recordings, and says nothing of the others', async () => {
  const { prove } = makePlatform({ failsAt: 1 });
  const clips = Array.from({ length: 102 }, (_, at) => at * 2);
  const answers = await Promise.allSettled(clips.map((clip) => prove(clip, hashOfClip(clip), never)));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 100 }, () => 'rejected'),
    'fulfilled',
    'fulfilled',
  ]);
});

test('who stops waiting does not end the wait of others', async () => {
  const { sizes, prove } = makePlatform();
  const stopped = new AbortController();
  const both = [prove(2, hashOfClip(2), never), prove(4, hashOfClip(4), stopped.signal)];
  stopped.abort();
  expect(await both[0]).toBe('stored');
  await both[1];
  expect(sizes).toEqual([1, 1]);
});
