import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@earshot/client/client';
import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { isMissing, needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ffmpegPath, ffprobePath } from '../../../platform/media/tests/programs.ts';
import { tinyWav } from './sound.ts';

// ffprobe is replaced by a program that waits for the test before it analyses large files.

/** As many analyses of one owner as may run at once. */
const share = Math.ceil((availableParallelism() + 1) / 2);
let server: TestServer;
let folder: string;
let light: Uint8Array<ArrayBuffer>;
let heavy: Uint8Array<ArrayBuffer>;

const program = (name: string) => `#!/bin/sh
for last; do :; done
if /bin/grep -q HEAVY "\${last#file:}"; then
  echo begun >> ${folder}/begun
  while [ ! -e ${folder}/release ]; do /bin/sleep 0.05; done
fi
exec ${name} "$@"
`;

const options = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=8000', '-t', '1'];
const encodeFlac = (comment: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    execFileSync(ffmpegPath, [...options, '-metadata', `comment=${comment}`, '-c:a', 'flac', '-f', 'flac', 'pipe:1']),
  );

beforeAll(async () => {
  if (isMissing('ffmpeg')) return;
  folder = await mkdtemp(join(tmpdir(), 'earshot-programs-'));
  for (const [name, real] of [
    ['ffprobe', ffprobePath],
    ['ffmpeg', ffmpegPath],
  ] as const) {
    await writeFile(join(folder, name), name === 'ffprobe' ? program(real) : `#!/bin/sh\nexec ${real} "$@"\n`);
    await chmod(join(folder, name), 0o755);
  }
  [light, heavy] = [encodeFlac('light'), encodeFlac('HEAVY')];
  vi.stubEnv('PATH', folder);
  server = await startTestServer();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  if (isMissing('ffmpeg')) return;
  await server.stop();
  await rm(folder, { recursive: true });
});

const countBegun = async () => (await readFile(join(folder, 'begun'), 'utf8').catch(() => '')).split('\n').length - 1;

async function addClips({ session }: Person, count: number): Promise<AudioClip[]> {
  const deviceSerial = `d-${randomUUID()}`;
  await session.createDevice({ body: { deviceSerial, autoCaption: false } });
  const clips = Array.from({ length: count }, (_, index) => ({ startTime: 1_794_700_000 + index }));
  return session.announceAudioClips({ params: { deviceSerial }, body: clips });
}

const put = (client: Client, { key = 0 }: AudioClip, body: Uint8Array<ArrayBuffer>) =>
  client.putAudioClipContent({ params: { audioClipID: key }, body });

describe('one owner uploads many files that take long to analyse', needs('ffmpeg'), () => {
  test('other owners are served meanwhile, and plain WAV of any owner', async () => {
    const neighbour = await server.addPerson();
    const clips = await addClips(neighbour, 13);
    const { client: device } = await neighbour.withKey({ deviceID: clips[0]?.deviceID ?? 0 });
    const [own = {}, ...sent] = clips;
    // A device key counts as the owner of its device.
    const uploads = sent.map((clip, index) => put(index % 2 === 0 ? neighbour.session : device, clip, heavy));
    await vi.waitFor(async () => expect(await countBegun()).toBe(share), { interval: 50 });

    const other = await server.addPerson();
    const [wav = {}, flac = {}, again = {}] = await addClips(other, 3);
    expect(await put(other.session, wav, tinyWav(1))).toMatchObject({ audioClipStatus: 3, clipLengthInSeconds: 1 });
    expect(await put(other.session, flac, light)).toMatchObject({ audioClipStatus: 3, clipLengthInSeconds: 1 });
    expect(await put(other.session, again, light)).toMatchObject({ audioClipStatus: 3 });
    expect(await put(neighbour.session, own, tinyWav(1))).toMatchObject({ audioClipStatus: 3 });
    expect(await countBegun()).toBe(share);

    await writeFile(join(folder, 'release'), '');
    const stored = await Promise.all(uploads);
    expect(stored.map(({ audioClipStatus }) => audioClipStatus)).toEqual(sent.map(() => 3));
    expect(await countBegun()).toBe(sent.length);
  });
});
