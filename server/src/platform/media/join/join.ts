import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';

import { MediaError } from '../media-error.ts';
import type { JoinFormat } from './formats.ts';
import { chooseFormat, chooseShape, findAgreement, keepsSamples } from './formats.ts';
import { CopyImpossible } from './packets/packet-codec.ts';
import { canCopy, copyPackets } from './join-packets.ts';
import { joinBySamples } from './join-samples.ts';
import type { JoinRequest, JoinResult, JoinTools, JoinWork } from './join-work.ts';
import { inspectPieces } from './pieces.ts';
import { planStretches } from './timeline.ts';

/**
 * Joins clips in the order of time. Pieces are opened one at a time and released after use. The result is written to a
 * temporary file and renamed at the end; a failure leaves no file behind.
 */
export async function joinPieces(tools: JoinTools, request: JoinRequest): Promise<JoinResult> {
  const { pieces, fromMs, toMs, gaps, signal } = request;
  signal?.throwIfAborted();
  const stretches = planStretches(pieces, fromMs, toMs);
  if (stretches.length === 0) throw new MediaError('nothing-to-join', 'No clip has sound within the range');
  const shapes = await inspectPieces(tools, pieces, stretches, signal);
  const target = resolve(request.target);
  const path = `${target}.part`;
  const work = { tools, pieces, shapes, stretches, gaps, path, report: progressReporter(request.onProgress), signal };
  try {
    const result = await runJoin(work, request.format);
    signal?.throwIfAborted();
    await rename(path, target);
    // Closed gaps can make the result shorter than expected.
    work.report(1, 1);
    return result;
  } catch (error) {
    await rm(path, { force: true });
    signal?.throwIfAborted();
    throw error;
  }
}

async function runJoin(work: JoinWork, asked: JoinFormat | 'same'): Promise<JoinResult> {
  const { tools } = work;
  const shapes = [...work.shapes.values()];
  const agreed = findAgreement(shapes);
  const format = chooseFormat(asked, agreed);
  if (!tools.ffmpeg && format !== 'wav') {
    throw new MediaError(
      'needs-ffmpeg',
      `${format.toUpperCase()} needs ffmpeg on the server: install Debian's package ffmpeg`,
    );
  }
  if (tools.ffmpeg && agreed && canCopy(agreed, format)) {
    try {
      return await copyPackets(work, tools.ffmpeg, agreed);
    } catch (error) {
      if (!(error instanceof CopyImpossible)) throw error;
    }
  }
  // AAC is only copied, never encoded: ffmpeg's memory would grow with the length of the MP4.
  const encoded = format === 'aac' ? 'flac' : format;
  const common = chooseShape(shapes, encoded);
  const durationMs = await joinBySamples(work, encoded, common);
  return {
    format: encoded,
    ...fileTypes[encoded],
    durationMs,
    isReencoded: !keepsSamples(shapes, encoded, common),
  };
}

const fileTypes = {
  wav: { contentType: 'audio/wav', extension: 'wav' },
  flac: { contentType: 'audio/flac', extension: 'flac' },
  mp3: { contentType: 'audio/mpeg', extension: 'mp3' },
  opus: { contentType: 'audio/ogg', extension: 'opus' },
  vorbis: { contentType: 'audio/ogg', extension: 'ogg' },
};

function progressReporter(onProgress: JoinRequest['onProgress']): JoinWork['report'] {
  let last = -1;
  return (done, total) => {
    const percent = Math.min(100, Math.floor((done * 100) / Math.max(1, total)));
    if (percent <= last) return;
    last = percent;
    onProgress?.(percent);
  };
}
