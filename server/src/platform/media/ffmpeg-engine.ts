import { Child } from './child.ts';
import type { Engine, KnownShape, PcmRequest, Tap } from './engine.ts';
import { extraIdleMsFor } from './engine.ts';
import { input, quiet } from './ffmpeg-arguments.ts';
import type { ProbedFacts } from './ffmpeg-probe.ts';
import { inspectFile, probeFile } from './ffmpeg-probe.ts';
import type { FfmpegPrograms } from './find-ffmpeg.ts';
import { unreadable } from './media-error.ts';
import type { SampleFormat, SoundFacts, SoundFile } from './sound.ts';
import { longestSoundMs } from './sound.ts';

const rawFormats: Readonly<Record<SampleFormat, string>> = { s16: 's16le', s32: 's32le', f32: 'f32le' };
const sampleNames: Readonly<Record<SampleFormat, string>> = { s16: 's16', s32: 's32', f32: 'flt' };

export function ffmpegEngine({ ffmpeg, ffprobe }: FfmpegPrograms): Engine {
  return {
    inspect: (file, signal) => inspectFile(ffprobe, file, signal),
    probe: async (file, signal) => publicFacts(await probeFile(ffprobe, file, signal)),
    decode: (file, shape, request) => decodeFile(ffmpeg, file, shape, request),
  };
}

/** Without the fields that only this engine uses. */
function publicFacts(facts: ProbedFacts | undefined): SoundFacts | undefined {
  if (!facts) return undefined;
  const { seconds: _seconds, leadSamples: _lead, tableSeconds: _table, ...rest } = facts;
  return rest;
}

async function* decodeFile(
  ffmpeg: string,
  file: SoundFile,
  shape: KnownShape,
  request: PcmRequest,
): AsyncGenerator<Buffer> {
  const { sampleFormat, signal, limits, tap } = request;
  const end = endFrame(shape, request);
  if (end <= request.fromFrame) return;
  const args = [
    ...quiet,
    ...input(file),
    '-af',
    filters(shape, request, end),
    '-f',
    rawFormats[sampleFormat],
    'pipe:1',
    ...(tap ? tapOutput(shape, tap) : []),
  ];
  const extraIdleMs = await extraIdleMsFor(file, request.fromFrame);
  const child = new Child({ program: ffmpeg, args, signal, extraIdleMs, limits, onSecondOutput: tap?.push });
  let isEmpty = true;
  try {
    for await (const chunk of child.output()) {
      isEmpty = false;
      yield chunk;
    }
  } catch (error) {
    // A file that is truncated gave the samples that it had.
    if (!child.hasExitCode || isEmpty) throw child.hasExitCode ? unreadable() : error;
  }
}

/** ffmpeg plays the last packet of an MP4 to its end, although the table says where its sound ends. */
function endFrame(shape: KnownShape, { sampleRate, toFrame }: PcmRequest): number {
  const seconds = Math.min(shape.tableSeconds ?? Infinity, longestSoundMs / 1000);
  return Math.min(toFrame, Math.round(seconds * sampleRate));
}

/** A second output of the same decoding. It ends where the first one does. */
function tapOutput(shape: KnownShape, { sampleRate, channels }: Tap): string[] {
  const seconds = Math.min(shape.tableSeconds ?? Infinity, longestSoundMs / 1000);
  const filter = [
    `aresample=${sampleRate}`,
    // More channels have many orders: they are left as they are.
    channels > 2
      ? 'aformat=sample_fmts=flt'
      : `aformat=sample_fmts=flt:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    'asetpts=N',
    `atrim=end_sample=${Math.round(seconds * sampleRate)}`,
  ].join(',');
  return ['-map', '0:a:0', '-map_metadata', '-1', '-af', filter, '-f', rawFormats.f32, 'pipe:3'];
}

function filters(shape: KnownShape, request: PcmRequest, end: number): string {
  const { sampleRate, channels, sampleFormat, fromFrame } = request;
  return [
    `aresample=${sampleRate}`,
    // By default, ffmpeg makes mono quieter when it converts to stereo.
    shape.channels === 1 && channels === 2 ? 'pan=stereo|c0=c0|c1=c0' : '',
    `aformat=sample_fmts=${sampleNames[sampleFormat]}:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    // Timestamps are computed from the number of samples, because gaps in the file's timestamps are not gaps in its
    // sound.
    'asetpts=N',
    `atrim=start_sample=${fromFrame}:end_sample=${end}`,
  ]
    .filter((filter) => filter !== '')
    .join(',');
}
