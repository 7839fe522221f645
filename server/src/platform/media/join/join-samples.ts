import { MediaError } from '../media-error.ts';
import { wholeFrames } from '../pcm-frames.ts';
import type { SoundFile } from '../sound.ts';
import { bytesPerSample } from '../sound.ts';
import { openEncoder } from './encoder.ts';
import type { CommonShape, ResultFormat } from './formats.ts';
import type { JoinWork } from './join-work.ts';
import type { PcmSink } from './pcm-sink.ts';
import { withPiece } from './pieces.ts';
import type { Placed } from './timeline.ts';
import { placeStretches } from './timeline.ts';
import { openWavWriter } from './wav-writer.ts';

/** Decodes every piece, places it exactly to the sample, and encodes the result. Returns its length in milliseconds. */
export async function joinBySamples(
  work: JoinWork,
  format: Exclude<ResultFormat, 'aac'>,
  common: CommonShape,
): Promise<number> {
  const sink = await openSink(work, format, common);
  try {
    const frames = await writeAll(work, sink, common);
    await sink.finish();
    return Math.round((frames * 1000) / common.sampleRate);
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

async function openSink(work: JoinWork, format: Exclude<ResultFormat, 'aac'>, common: CommonShape): Promise<PcmSink> {
  if (format === 'wav') return openWavWriter(work.path, common);
  return openEncoder(work.tools.ffmpeg!.ffmpeg, work.path, format, common, work.signal);
}

async function writeAll(work: JoinWork, sink: PcmSink, common: CommonShape): Promise<number> {
  const { pieces, stretches, gaps, report, signal } = work;
  const { placed, total } = placeStretches(stretches, pieces, gaps, common.sampleRate);
  const frameBytes = common.channels * bytesPerSample[common.sampleFormat];
  const silence = Buffer.alloc(common.sampleRate * frameBytes);
  let written = 0;

  async function write(bytes: Uint8Array): Promise<void> {
    signal?.throwIfAborted();
    await sink.write(bytes);
    written += bytes.length / frameBytes;
    report(written, total);
  }

  async function fillUntil(frame: number): Promise<void> {
    while (written < frame) await write(silence.subarray(0, Math.min(silence.length, (frame - written) * frameBytes)));
  }

  for (const stretch of placed) {
    if (gaps === 'silence') await fillUntil(stretch.at);
    await withPiece(pieces[stretch.piece]!, async (file) => {
      for await (const bytes of wholeFrames(decodeStretch(work, file, stretch, common), frameBytes)) await write(bytes);
    });
    // Missing samples of a piece are replaced by silence, so that the pieces after it keep their time.
    if (gaps === 'silence') await fillUntil(stretch.at + stretch.length);
  }
  if (written === 0) throw new MediaError('nothing-to-join', 'The clips contain no sound within the range');
  return written;
}

function decodeStretch(
  { tools, shapes, signal }: JoinWork,
  file: SoundFile,
  { piece, sourceAt, length }: Placed,
  { sampleRate, channels, sampleFormat }: CommonShape,
): AsyncIterable<Buffer> {
  const range = { fromFrame: sourceAt, toFrame: sourceAt + length };
  return tools.engine.decode(file, shapes.get(piece)!, { sampleRate, channels, sampleFormat, ...range, signal });
}
