import { readOggPackets } from './ogg-reader.ts';
import { openOpusWriter } from './opus-writer.ts';
import type { Packet, PacketCodec } from './packet-codec.ts';
import { CopyImpossible } from './packet-codec.ts';

const opusRate = 48_000;

export const opusCodec: PacketCodec = {
  streamArguments: ['-f', 'ogg'],
  rate: () => opusRate,
  // The 80 ms after which a decoder has converged according to RFC 7845.
  prerollSamples: 3840,
  canTrim: true,
  contentType: 'audio/ogg',
  extension: 'opus',
  async openStream(chunks) {
    const packets = readOggPackets(chunks);
    const { value: head } = await packets.next();
    // The second packet contains comments.
    await packets.next();
    return { leadSamples: readLead(head), packets: readPackets(packets) };
  },
  makeSilence: ({ bytes }) => {
    const isStereo = (bytes[0]! & 4) !== 0;
    // 20 ms of full-band silence.
    return { bytes: Buffer.from([isStereo ? 0xfc : 0xf8, 0xff, 0xfe]), samples: 960 };
  },
  makeReset: ({ bytes }) => (isCelt(bytes[0]!) ? silkSilence : celtSilence),
  openWriter: (path, { channels, sampleRate }) => openOpusWriter(path, channels, sampleRate),
};

/**
 * The first packet of a stream is encoded for a decoder in its initial state; after loud sound it would be played twice
 * as loud. A decoder resets its state when the mode changes (RFC 6716, 4.5.2). So a short silence in the other mode (10
 * ms or 2.5 ms, the shortest of each mode) makes every decoder play the stream as it does alone.
 */
const silkSilence: Packet = { bytes: Buffer.from([0x00, 0x0b, 0xf1, 0x76, 0x1d, 0x48]), samples: 480 };
const celtSilence: Packet = { bytes: Buffer.from([0xe0, 0xff, 0xfe]), samples: 120 };

/** The upper half of the 32 packet configurations. */
const isCelt = (first: number): boolean => first >= 0x80;

function readLead(head: Buffer | void): number {
  const isHead = head && head.length >= 19 && head.toString('latin1', 0, 8) === 'OpusHead';
  if (!isHead) throw new CopyImpossible();
  const [gain, mapping] = [head.readInt16LE(16), head[18]!];
  // Both apply to a whole file and cannot change within it.
  if (gain !== 0 || mapping !== 0) throw new CopyImpossible();
  return head.readUInt16LE(10);
}

async function* readPackets(packets: AsyncIterable<Buffer>): AsyncGenerator<Packet> {
  for await (const bytes of packets) {
    const samples = countSamples(bytes);
    if (samples > 0) yield { bytes, samples };
  }
}

/** Determined by the first byte, and for some packets the second (RFC 6716, 3.1). */
function countSamples(packet: Buffer): number {
  const [first = 0, second = 0] = packet;
  const kind = first >> 3;
  const silk = [480, 960, 1920, 2880];
  const hybrid = [480, 960];
  const celt = [120, 240, 480, 960];
  const frame = kind < 12 ? silk[kind & 3]! : kind < 16 ? hybrid[kind & 1]! : celt[kind & 3]!;
  const counts = [1, 2, 2, second & 63];
  return packet.length === 0 ? 0 : frame * counts[first & 3]!;
}
