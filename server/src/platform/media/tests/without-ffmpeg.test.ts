import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { openMedia } from '@earshot/server/platform/media/media';
import { recordingLog } from '@earshot/server/testing/log';
import { needs } from '@earshot/server/testing/needs';
import { describe, expect, test } from 'vitest';
import { ffmpegPath, ffprobePath, mediaWithoutFfmpeg } from './programs.ts';
import { makeFolder, makeTone, writeWav } from './sound-maker.ts';

async function makeRequest() {
  const folder = await makeFolder();
  const path = await writeWav(join(folder, 'tone.wav'), makeTone([440], 1, 16_000));
  const piece = { startMs: 0, endMs: 1000, open: async () => ({ path, release: async () => undefined }) };
  return { pieces: [piece], fromMs: 0, toMs: 1000, gaps: 'silence', target: join(folder, 'joined') } as const;
}

describe('a server without ffmpeg', () => {
  test.each([
    ['mp3', 'MP3'],
    ['flac', 'FLAC'],
    ['opus', 'OPUS'],
  ] as const)('names the requirement of %s', async (format, name) => {
    await expect(mediaWithoutFfmpeg.join({ ...(await makeRequest()), format })).rejects.toMatchObject({
      code: 'needs-ffmpeg',
      message: `${name} needs ffmpeg on the server: install Debian's package ffmpeg`,
    });
  });

  test('joins WAV to WAV', async () => {
    const request = await makeRequest();
    expect(await mediaWithoutFfmpeg.join({ ...request, format: 'same' })).toMatchObject({ format: 'wav' });
    expect(await mediaWithoutFfmpeg.probe(request.target)).toMatchObject({ codec: 'pcm_s16le', durationMs: 1000 });
  });

  test('warns once, and uses ffmpeg when it is installed', needs('ffmpeg'), async () => {
    const request = await makeRequest();
    const log = recordingLog();
    const searchPath = join(await makeFolder(), 'bin');
    const media = openMedia({ log, searchPath });
    for (let count = 0; count < 2; count += 1) {
      await expect(media.join({ ...request, format: 'mp3' })).rejects.toThrow('needs ffmpeg');
    }
    expect(log.lines).toEqual([
      {
        level: 'warn',
        fields: {},
        message: 'ffmpeg is not installed: reading sound is slow and joining produces only WAV; install ffmpeg',
      },
    ]);
    await mkdir(searchPath);
    await symlink(ffmpegPath, join(searchPath, 'ffmpeg'));
    await symlink(ffprobePath, join(searchPath, 'ffprobe'));
    expect(await media.join({ ...request, format: 'mp3' })).toMatchObject({ format: 'mp3' });
  });
});
