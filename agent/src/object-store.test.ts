import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { uploadPieceBytes } from '@earshot/contract/upload';
import { startMemoryStore } from '@earshot/server/platform/storage/tests/memory-store';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addAgentDevice, hashOf, makeSound, within } from './testing/agent-device.ts';

test('within a limit, recordings of one piece and of several arrive in an object store byte for byte', async () => {
  const store = await startMemoryStore();
  const server = await startTestServer({ storage: { url: store.url, accessKey: 'name', secretKey: 'secret' } });
  const folder = await mkdtemp(join(tmpdir(), 'earshot-store-'));
  onTestFinished(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const recordings = join(folder, 'recordings');
  await mkdir(recordings);
  const sounds = [1, 2, 265].map((seconds) => makeSound(seconds, seconds));
  expect(sounds.at(-1)!.length).toBeGreaterThan(uploadPieceBytes);
  for (const [at, sound] of sounds.entries()) await writeFile(join(recordings, `20260101_10000${at}.wav`), sound);
  const { client, start, listClips } = await addAgentDevice(server, folder, {
    upload: 'atOnce',
    uploadKilobytesPerSecond: 8_000,
  });
  const stop = start();
  const arrived = async () => (await listClips()).filter(({ status }) => status === audioClipStatus.available);
  await vi.waitFor(async () => expect(await arrived()).toHaveLength(sounds.length), within);
  await stop();
  const hashes: string[] = [];
  for (const { key } of await arrived()) {
    const content = await client.getAudioClipContent({ params: { audioClipID: key } });
    hashes.push(hashOf(new Uint8Array(await content.arrayBuffer())));
  }
  expect(hashes).toEqual(sounds.map((sound) => hashOf(sound)));
  expect(store.counts.writtenBytes).toBeGreaterThan(uploadPieceBytes);
});
