import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { openTestModels } from '../../testing/speech.ts';
import { openMedia } from '../media/media.ts';
import type { EmbeddedEngine } from './embedded-engine.ts';
import { createEmbeddedEngine } from './embedded-engine.ts';
import { sampleRate } from './engine.ts';

/*
 * One sentence in the encodings that recorders use, decoded with ffmpeg and without it: the same words in all of them.
 */

const recording = '/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0930.wav';
const sentence = 'he might even have been made amiable himself';

/** The options of ffmpeg for each file. */
const encodings = {
  '8k.wav': ['-ar', '8000', '-c:a', 'pcm_s16le'],
  '16k.wav': ['-c:a', 'pcm_s16le'],
  '44k-stereo.wav': ['-ar', '44100', '-ac', '2', '-c:a', 'pcm_s16le'],
  'float.wav': ['-c:a', 'pcm_f32le'],
  'mu-law.wav': ['-ar', '8000', '-c:a', 'pcm_mulaw'],
  'sound.flac': ['-c:a', 'flac'],
  '64k.mp3': ['-ar', '44100', '-c:a', 'libmp3lame', '-b:a', '64k'],
  '24k.mp3': ['-ar', '16000', '-c:a', 'libmp3lame', '-b:a', '24k'],
  'sound.m4a': ['-ar', '44100', '-c:a', 'aac', '-b:a', '64k'],
  'vorbis.ogg': ['-ar', '44100', '-c:a', 'libvorbis', '-b:a', '64k'],
  'opus.ogg': ['-ar', '48000', '-c:a', 'libopus', '-b:a', '16k'],
  'sound.webm': ['-ar', '48000', '-c:a', 'libopus', '-b:a', '24k'],
} as const;

describe('one sentence in many encodings', needs('speech', 'ffmpeg'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-encodings-'));
  let engine: EmbeddedEngine;
  beforeAll(() => {
    engine = createEmbeddedEngine({ profile: 'moonshine', models: openTestModels(), log: silentLog });
    for (const [name, options] of Object.entries(encodings))
      execFileSync('ffmpeg', ['-v', 'error', '-i', recording, ...options, join(folder, name)]);
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const media = {
    ffmpeg: openMedia({ log: silentLog }),
    'the built-in decoder': openMedia({ log: silentLog, searchPath: '' }),
  };
  for (const [decoder, opened] of Object.entries(media)) {
    test.each(Object.keys(encodings))(`%s by ${decoder}`, async (name) => {
      const { signal } = new AbortController();
      const sound = opened.decode(join(folder, name), { sampleRate, channels: 1, signal });
      const { segments, language } = await engine.caption(sound, { signal });
      const text = segments.map((segment) => segment.text).join(' ');
      expect(text.toLowerCase().replace(/[^a-z ]/g, '')).toBe(sentence);
      expect(language).toBe('en');
    });
  }
});
