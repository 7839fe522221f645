import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MediaError } from '@earshot/server/platform/media/media-error';
import { isMissing, needs } from '@earshot/server/testing/needs';
import { beforeAll, describe, expect, test } from 'vitest';
import { childrenWith } from './processes.ts';
import { engines } from './programs.ts';
import type { Encoding } from './sound-maker.ts';
import { encodeAll, encodings, makeFolder, makeNoise, makeTone, wavBytes } from './sound-maker.ts';

const random = (length: number, seed: number): Buffer => {
  let state = seed;
  return Buffer.from(
    Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
};

const secret = 'file:///etc/passwd';
const size = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(bytes);
  return buffer;
};

/** Files that contain no sound, whatever their headers say. */
const notSound: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  'one byte': Buffer.from('R'),
  zeros: Buffer.alloc(100_000),
  'random bytes': random(200_000, 7),
  'a web page': Buffer.from('<!doctype html><html><body>Not found</body></html>'.repeat(100)),
  'a playlist': Buffer.from(`#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST\n`),
  'a concat script': Buffer.from(`ffconcat version 1.0\nfile '${secret}'\n`),
  'a session description': Buffer.from(
    'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\nm=audio 9 RTP/AVP 0\r\n',
  ),
  'a WAV header alone': wavBytes(makeTone([1], 0, 8000)),
  'half a WAV header': wavBytes(makeTone([1], 0, 8000)).subarray(0, 30),
  'a WAV of a playlist': Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE'), Buffer.from(`#EXTM3U\n${secret}\n`)]),
  'a WAV with no channels': Buffer.from(wavBytes(makeTone([440], 1, 8000))).fill(0, 22, 24),
  'a FLAC header before noise': Buffer.concat([
    Buffer.from('fLaC\x80\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x40\xf0', 'latin1'),
    random(60_000, 3),
  ]),
  'Ogg of noise': Buffer.concat([Buffer.from('OggS\0\x02'), random(50_000, 4)]),
  'an empty MP4': Buffer.concat([size(24), Buffer.from('ftypM4A \0\0\x02\0isomiso2')]),
  'an MP4 with a box of the largest size': Buffer.concat([
    size(24),
    Buffer.from('ftypM4A \0\0\x02\0isomiso2'),
    size(0xfffffff0),
    Buffer.from('moov'),
    random(20_000, 5),
  ]),
  'WebM of noise': Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x84]),
    Buffer.from('webm'),
    random(50_000, 6),
  ]),
  'a tag that is longer than the file': Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f'), random(1000, 8)]),
};

test('a WAV of four billion samples per second is not sound', needs('ffmpeg'), async () => {
  const path = join(await makeFolder(), 'clip.wav');
  const bytes = Buffer.from(wavBytes(makeTone([440], 1, 8000)));
  bytes.writeUInt32LE(0xffffffff, 24);
  await writeFile(path, bytes);
  expect(await engines[0]!.media.probe(path)).toBeUndefined();
});

/** The same noise in every format, for both engines. */
const noises = new Map<Encoding, Buffer>();
beforeAll(async () => {
  if (isMissing('ffmpeg')) return;
  const folder = await mkdtemp(join(tmpdir(), 'earshot-media-'));
  const sound = makeNoise(2, 16_000);
  const all = Object.keys(encodings) as Encoding[];
  await encodeAll(all.map((encoding) => ({ path: join(folder, encoding), sound, encoding })));
  for (const encoding of all) noises.set(encoding, await readFile(join(folder, encoding)));
  await rm(folder, { recursive: true });
});

/** ffmpeg reads all formats in the same way: one of each family. hostile.long.test.ts has every one. */
const readByFfmpeg: readonly Encoding[] = ['flac.flac', 'vbr.mp3', 'opus.opus', 'aac.m4a'];
const allEncodings = Object.keys(encodings) as Encoding[];
const encodingsOf = (name: string): readonly Encoding[] =>
  name === 'ffmpeg' && process.env['HOSTILE_FORMATS'] !== 'every' ? readByFfmpeg : allEncodings;

describe.each(engines)('hostile files, read by $name', ({ name, media, options }) => {
  test.each(Object.entries(notSound))('%s is not sound', options, async (_name, bytes) => {
    const path = join(await makeFolder(), 'clip.wav');
    await writeFile(path, bytes);
    expect(await media.probe(path)).toBeUndefined();
    const peaks = media.computePeaks(path, { pointsPerSecond: 20 });
    await expect(peaks).rejects.toThrow(new MediaError('unreadable', 'The file is not readable sound'));
    expect(await childrenWith(path)).toEqual([]);
  });

  test.each(encodingsOf(name))(
    '%s that is truncated or damaged is read up to the damage, or refused',
    needs('ffmpeg'),
    async (encoding) => {
      const folder = await makeFolder();
      const path = join(folder, encoding);
      const whole = noises.get(encoding)!;
      const damaged = Buffer.from(whole);
      for (let at = 600; at < damaged.length; at += 701) damaged[at] = damaged[at]! ^ 0x55;
      const cut = [whole.subarray(0, 700), whole.subarray(0, whole.length >> 1)];
      for (const bytes of name === 'ffmpeg' ? [...cut, damaged] : [damaged.subarray(0, damaged.length - 333)]) {
        await writeFile(path, bytes);
        const facts = await media.probe(path);
        expect(facts?.durationMs ?? 1).toBeLessThan(10_000);
        const peaks = await media.computePeaks(path, { pointsPerSecond: 20 }).catch((error: unknown) => error);
        if (peaks instanceof Error) expect(peaks).toBeInstanceOf(MediaError);
        else expect(peaks).toMatchObject({ pointsPerSecond: 20 });
        // Messages do not reveal where files are stored.
        expect(String(peaks)).not.toContain(folder);
      }
    },
  );
});
