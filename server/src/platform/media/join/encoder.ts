import { Child } from '../child.ts';
import { quiet } from '../ffmpeg-arguments.ts';
import type { CommonShape, ResultFormat } from './formats.ts';
import type { PcmSink } from './pcm-sink.ts';

const rawFormats = { s16: 's16le', s32: 's32le', f32: 'f32le' };

/** Encodes with ffmpeg while samples arrive. */
export function openEncoder(
  ffmpeg: string,
  path: string,
  format: Exclude<ResultFormat, 'wav' | 'aac'>,
  common: CommonShape,
  signal: AbortSignal | undefined,
): PcmSink {
  const { sampleFormat, sampleRate, channels } = common;
  const raw = ['-f', rawFormats[sampleFormat], '-ar', String(sampleRate), '-ac', String(channels)];
  const source = ['-threads', '1', '-protocol_whitelist', 'file,pipe', ...raw, '-i', 'pipe:0'];
  const args = [...quiet, '-y', ...source, '-threads', '1', ...codecArguments(format, common), `file:${path}`];
  const child = new Child({ program: ffmpeg, args, signal, input: 'pipe' });
  return {
    write: (bytes) => child.write(bytes),
    async finish() {
      child.endInput();
      await child.finish();
    },
    abort: () => child.kill(),
  };
}

function codecArguments(format: Exclude<ResultFormat, 'wav' | 'aac'>, { channels, bitDepth }: CommonShape): string[] {
  switch (format) {
    case 'flac':
      return ['-c:a', 'flac', ...(bitDepth > 16 ? ['-bits_per_raw_sample', '24'] : []), '-f', 'flac'];
    case 'mp3':
      // Variable bitrate, about 190 kbit/s for stereo music; the header gives players the delay and the padding.
      return ['-c:a', 'libmp3lame', '-q:a', '2', '-f', 'mp3'];
    case 'opus':
      return ['-c:a', 'libopus', '-b:a', channels === 1 ? '64k' : '112k', '-f', 'ogg'];
    case 'vorbis':
      return ['-c:a', 'libvorbis', '-q:a', '6', '-f', 'ogg'];
  }
}
