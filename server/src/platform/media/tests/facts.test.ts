import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMissing, needs } from '../../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines } from './programs.ts';
import type { Encoding, WavKind } from './sound-maker.ts';
import { encode, encodeAll, makeFolder, makeTone, wavBytes, writeWav } from './sound-maker.ts';

/** Untagged MP3 and ADTS do not store the encoder's delay and padding. */
const padded = new Set<Encoding>(['untagged.mp3', 'aac.aac']);

const formats: Readonly<Record<Encoding, readonly [container: string, codec: string, contentType: string]>> = {
  'flac.flac': ['flac', 'flac', 'audio/flac'],
  'cbr.mp3': ['mp3', 'mp3', 'audio/mpeg'],
  'vbr.mp3': ['mp3', 'mp3', 'audio/mpeg'],
  'tagged.mp3': ['mp3', 'mp3', 'audio/mpeg'],
  'untagged.mp3': ['mp3', 'mp3', 'audio/mpeg'],
  'opus.opus': ['ogg', 'opus', 'audio/ogg'],
  'vorbis.ogg': ['ogg', 'vorbis', 'audio/ogg'],
  'aac.m4a': ['mp4', 'aac', 'audio/mp4'],
  'aac.aac': ['adts', 'aac', 'audio/aac'],
  'opus.webm': ['webm', 'opus', 'audio/webm'],
};

/** The same sound in every format, for both engines. */
let tones: string;
beforeAll(async () => {
  tones = await mkdtemp(join(tmpdir(), 'earshot-media-'));
  if (isMissing('ffmpeg')) return;
  await encodeAll(
    Object.entries(formats).map(([encoding, [, codec]]) => ({
      path: join(tones, encoding),
      // Two different channels, because decoders may return equal ones as one.
      sound: makeTone([440, 660], 4.321, codec === 'opus' ? 48_000 : 44_100),
      encoding: encoding as Encoding,
    })),
  );
});
afterAll(() => rm(tones, { recursive: true, force: true }));

describe.each(engines)('the facts of a file, by $name', ({ media, options }) => {
  test.each([
    ['u8', 'pcm_u8', 8],
    ['s16', 'pcm_s16le', 16],
    ['s24', 'pcm_s24le', 24],
    ['s32', 'pcm_s32le', 32],
    ['f32', 'pcm_f32le', 32],
  ] as const)('WAV of %s', options, async (kind: WavKind, codec, bitDepth) => {
    const path = join(await makeFolder(), 'clip');
    await writeWav(path, makeTone([440, 880], 1.25, 22_050), kind);
    expect(await media.probe(path)).toMatchObject({
      container: 'wav',
      codec,
      contentType: 'audio/wav',
      durationMs: 1250,
      sampleRate: 22_050,
      channels: 2,
      bitDepth,
    });
  });

  test.each([0, 0xffffffff, 0x7fffffff])(
    'a WAV whose header says %i bytes has its real length',
    options,
    async (claimed) => {
      const path = join(await makeFolder(), 'clip.wav');
      const bytes = wavBytes(makeTone([440], 1.5, 8000));
      bytes.writeUInt32LE(claimed, 40);
      await writeFile(path, bytes);
      expect(await media.probe(path)).toMatchObject({ durationMs: 1500, bitrate: expect.closeTo(128_000, -4) });
    },
  );

  describe('of encoded sound', needs('ffmpeg'), () => {
    test.each(Object.keys(formats) as Encoding[])('%s', async (encoding) => {
      const [container, codec, contentType] = formats[encoding];
      const facts = await media.probe(join(tones, encoding));
      expect(facts).toMatchObject({ container, codec, contentType, channels: 2 });
      expect(facts?.sampleRate).toBe(codec === 'opus' ? 48_000 : 44_100);
      expect(Math.abs(facts!.durationMs - 4321)).toBeLessThanOrEqual(padded.has(encoding) ? 60 : 1);
      expect(facts?.bitrate).toBeGreaterThan(10_000);
      expect(facts?.bitrate).toBeLessThan(1_000_000);
    });

    test('the name of a file is ignored', async () => {
      const folder = await makeFolder();
      const path = await encode(join(folder, 'a.mp3'), makeTone([440], 1, 16_000), 'cbr.mp3');
      const renamed = join(folder, 'picture.png');
      await copyFile(path, renamed);
      expect(await media.probe(renamed)).toMatchObject({ container: 'mp3', durationMs: 1000 });
    });
  });
});
