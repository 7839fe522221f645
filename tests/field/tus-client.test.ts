import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { clipIdHeader } from '@earshot/contract/upload';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { DetailedError, OnSuccessPayload, UploadOptions } from 'tus-js-client';
import { Upload } from 'tus-js-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { basic } from '../access/ask.ts';

/* The client that most programs and browsers use for tus, with an API key and in a web session. */

let server: SharedServer;
let session: Client;
let deviceSerial: string;
const credentials: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  server = await sharedTestServer();
  const person = await server.addPerson();
  session = person.session;
  deviceSerial = `tus-${randomUUID()}`;
  await session.createDevice({ body: { deviceSerial } });
  const { credential } = await person.withKey();
  credentials['an API key'] = basic(credential.accessKey, credential.secretKey);
  credentials['a web session'] = { cookie: person.cookie };
});

const sound = Buffer.from(tinyWav(20));
let hour = 0;
const nextStart = () => new Date(Date.UTC(2026, 10, 1, ++hour)).toISOString();

const optionsOf = (kind: string, more: UploadOptions = {}): UploadOptions => ({
  endpoint: new URL('/v1/upload', server.url).href,
  headers: credentials[kind] ?? {},
  metadata: { filename: 'dawn.wav', filetype: 'audio/wav', deviceSerial, startDate: nextStart() },
  retryDelays: null,
  ...more,
});

/** Runs an upload to its end, and returns the key of its clip. */
const finish = (bytes: Buffer, options: UploadOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    const onSuccess = ({ lastResponse }: OnSuccessPayload) => resolve(Number(lastResponse.getHeader(clipIdHeader)));
    new Upload(bytes, { ...options, onSuccess, onError: reject }).start();
  });

/** Stops after the first piece as a person who presses pause; returns the address of the upload. */
const pause = (bytes: Buffer, options: UploadOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      ...options,
      chunkSize: 100_000,
      onChunkComplete: () => void upload.abort().then(() => resolve(upload.url ?? ''), reject),
      onError: reject,
    });
    upload.start();
  });

const statusOf = (error: unknown): number | undefined => (error as DetailedError).originalResponse?.getStatus();

async function hashOf(audioClipID: number): Promise<string> {
  const content = await session.getAudioClipContent({ params: { audioClipID } });
  return sha256(new Uint8Array(await content.arrayBuffer()));
}

describe.each(['an API key', 'a web session'])('tus-js-client with %s', (kind) => {
  test.each<[string, UploadOptions]>([
    ['in one request after the creation', {}],
    ['in the creation itself', { uploadDataDuringCreation: true }],
    ['in pieces', { chunkSize: 64_000 }],
    ['in pieces, the first in the creation', { chunkSize: 64_000, uploadDataDuringCreation: true }],
    ['in pieces through a network that lets only POST pass', { chunkSize: 64_000, overridePatchMethod: true }],
  ])('uploads %s', async (_name, more) => {
    expect(await hashOf(await finish(sound, optionsOf(kind, more)))).toBe(sha256(sound));
  });

  test('is paused, and a new client resumes at the offset', async () => {
    const options = optionsOf(kind);
    const uploadUrl = await pause(sound, options);
    const requests: string[] = [];
    const onBeforeRequest: UploadOptions['onBeforeRequest'] = (request) =>
      void requests.push(`${request.getMethod()} ${request.getHeader('Upload-Offset') ?? ''}`.trim());
    const audioClipID = await finish(sound, { ...options, uploadUrl, onBeforeRequest });
    expect(requests).toEqual(['HEAD', 'PATCH 100000']);
    expect(await hashOf(audioClipID)).toBe(sha256(sound));
    expect(await finish(sound, { ...options, uploadUrl })).toBe(audioClipID);
  });

  test('ends an upload', async () => {
    const options = optionsOf(kind);
    const uploadUrl = await pause(sound, options);
    await Upload.terminate(uploadUrl, options);
    // Without an endpoint the client does not start again.
    const refused = await finish(sound, { ...options, endpoint: null, uploadUrl }).catch(statusOf);
    expect(refused).toBe(404);
  });

  test('is told that parts of a recording cannot be sent in parallel, and does not retry', async () => {
    const metadataForPartialUploads = { deviceSerial, startDate: nextStart() };
    const options = optionsOf(kind, { parallelUploads: 2, metadataForPartialUploads, retryDelays: [0, 0] });
    const refused = await finish(sound, options).catch((error: unknown) => error);
    expect(statusOf(refused)).toBe(400);
    expect((refused as Error).message).toContain('upload-concat');
  });

  test('is told that a file is no sound, and does not retry', async () => {
    const retryDelays = [0, 0];
    const refused = await finish(Buffer.from('text'), optionsOf(kind, { retryDelays })).catch(
      (error: unknown) => error,
    );
    expect(statusOf(refused)).toBe(415);
    expect((refused as Error).message).toContain('The format of this sound is not supported');
  });
});
