import { Child } from '../child.ts';
import { input, quiet } from '../ffmpeg-arguments.ts';
import type { ProbedFacts } from '../ffmpeg-probe.ts';
import { probeFile } from '../ffmpeg-probe.ts';
import type { FfmpegPrograms } from '../find-ffmpeg.ts';
import { MediaError } from '../media-error.ts';
import type { SoundFile, SoundShape } from '../sound.ts';
import type { ResultFormat } from './formats.ts';
import type { JoinResult, JoinWork } from './join-work.ts';
import { PacketPlacer } from './packet-placer.ts';
import { adtsCodec, mp4Codec } from './packets/aac-codec.ts';
import { mp3Codec } from './packets/mp3-codec.ts';
import { opusCodec } from './packets/opus-codec.ts';
import type { PacketCodec } from './packets/packet-codec.ts';
import { CopyImpossible } from './packets/packet-codec.ts';
import { unreadablePiece, withPiece } from './pieces.ts';
import type { Placed } from './timeline.ts';
import { placeStretches } from './timeline.ts';

export { CopyImpossible };

/** Whether lossy sound can be copied without encoding it again: it already has the requested codec. */
export const canCopy = ({ codec }: SoundShape, format: ResultFormat): boolean =>
  (codec === 'mp3' || codec === 'opus' || codec === 'aac') && codec === format;

/**
 * Copies packets. Each packet is placed within half a packet of its exact time at any position of the result. The total
 * length is exact if the format can store it (all but ADTS). Gaps are filled with packets of silence.
 */
export async function copyPackets(work: JoinWork, programs: FfmpegPrograms, agreed: SoundShape): Promise<JoinResult> {
  const codec = chooseCodec([...work.shapes.values()]);
  const placer = new PacketPlacer(codec, work.path, work.signal);
  const rate = codec.rate({ ...agreed, leadSamples: 0 });
  const { placed, total } = placeStretches(work.stretches, work.pieces, work.gaps, rate);
  let missing = 0;
  try {
    for (const [index, stretch] of placed.entries()) {
      const piece = work.pieces[stretch.piece]!;
      work.signal?.throwIfAborted();
      missing += await withPiece(piece, async (file) => {
        const known = work.shapes.get(stretch.piece)!;
        const facts = isProbed(known) ? known : await probeFile(programs.ffprobe, file, work.signal);
        if (!facts) throw unreadablePiece(piece);
        if (facts.codec !== agreed.codec || facts.sampleRate !== agreed.sampleRate) throw new CopyImpossible();
        const isFinal = index === placed.length - 1;
        const at = stretch.at - (work.gaps === 'close' ? missing : 0);
        return copyStretch({ work, programs, placer, codec, file, facts, rate, total, isFinal }, { ...stretch, at });
      });
    }
    const length = work.gaps === 'close' ? total - missing : total;
    if (placer.isEmpty) throw new MediaError('nothing-to-join', 'The clips contain no sound within the range');
    await placer.finish(length);
    const { contentType, extension } = codec;
    const format = agreed.codec as ResultFormat;
    return { format, contentType, extension, durationMs: Math.round((length * 1000) / rate), isReencoded: false };
  } catch (error) {
    await placer.abort();
    throw error;
  }
}

const isProbed = (shape: SoundShape): shape is ProbedFacts => 'seconds' in shape;

function chooseCodec(shapes: readonly SoundShape[]): PacketCodec {
  switch (shapes[0]!.codec) {
    case 'mp3':
      return mp3Codec;
    case 'opus':
      return opusCodec;
    default:
      return shapes.every(({ container }) => container === 'adts') ? adtsCodec : mp4Codec;
  }
}

interface StretchWork {
  readonly work: JoinWork;
  readonly programs: FfmpegPrograms;
  readonly placer: PacketPlacer;
  readonly codec: PacketCodec;
  readonly file: SoundFile;
  readonly facts: ProbedFacts;
  readonly rate: number;
  readonly total: number;
  readonly isFinal: boolean;
}

/** Returns how many samples the piece had fewer than declared. */
async function copyStretch(
  { work, programs, placer, codec, file, facts, rate, total, isFinal }: StretchWork,
  { at, sourceAt, length }: Placed,
): Promise<number> {
  const present = Math.max(0, Math.min(length, Math.round(facts.seconds * rate) - sourceAt));
  const args = [...quiet, ...input(file), '-c:a', 'copy', ...codec.streamArguments, 'pipe:1'];
  const child = new Child({ program: programs.ffmpeg, args, signal: work.signal });
  try {
    const { leadSamples, packets } = await codec.openStream(child.output(), facts);
    let place = at - sourceAt - leadSamples;
    placer.beginStream(facts, sourceAt === 0);
    for await (const packet of packets) {
      const isPlaced = await placer.place(packet, place, at + present, isFinal);
      if (!isPlaced) break;
      place += packet.samples;
      work.report(Math.min(place, at + present), total);
    }
  } finally {
    await child.kill();
  }
  return length - present;
}
