import { aacFrameSamples, readAdtsHeader } from '../../adts-frame.ts';
import { openAdtsWriter } from './adts-writer.ts';
import { readFrames } from './frame-reader.ts';
import { openMp4Writer } from './mp4-writer.ts';
import type { Packet, PacketCodec } from './packet-codec.ts';
import { CopyImpossible } from './packet-codec.ts';

const common = {
  streamArguments: ['-f', 'adts'],
  rate: ({ sampleRate }: { sampleRate: number }) => sampleRate,
  openStream: async (chunks: AsyncIterable<Buffer>, { leadSamples }: { leadSamples: number }) => ({
    leadSamples,
    packets: readPackets(chunks),
  }),
  makeSilence,
};

export const mp4Codec: PacketCodec = {
  ...common,
  prerollSamples: aacFrameSamples,
  canTrim: true,
  contentType: 'audio/mp4',
  extension: 'm4a',
  openWriter: openMp4Writer,
};

export const adtsCodec: PacketCodec = {
  ...common,
  prerollSamples: 0,
  canTrim: false,
  contentType: 'audio/aac',
  extension: 'aac',
  openWriter: openAdtsWriter,
};

async function* readPackets(chunks: AsyncIterable<Buffer>): AsyncGenerator<Packet> {
  for await (const bytes of readFrames(chunks, (all, at) => readAdtsHeader(all, at)?.frameBytes)) {
    const { objectType, channels } = readAdtsHeader(bytes)!;
    // Several blocks in a frame, or channels described elsewhere, are rare; such files are decoded instead.
    if (objectType !== 2 || channels === 0 || channels > 2 || (bytes[6]! & 3) !== 0) throw new CopyImpossible();
    yield { bytes, samples: aacFrameSamples };
  }
}

/**
 * One channel: an element whose bands are all empty, by ISO/IEC 14496-3 (4.4.2): 7 bits of name, 8 of gain, 11 of an
 * empty window, 3 flags, 3 bits of end. Two channels: the same twice with a common window.
 */
const silentBlocks = {
  1: Buffer.from([0b00000000, 0b00000000, 0b00000000, 0b00000111]),
  2: Buffer.from([0b00100001, 0b00000000, 0b00000000, 0b00000000, 0b00000000, 0b00011100]),
};

function makeSilence({ bytes }: Packet): Packet {
  const header = readAdtsHeader(bytes)!;
  const block = silentBlocks[header.channels === 1 ? 1 : 2];
  const frame = Buffer.concat([bytes.subarray(0, 7), block]);
  // No checksum, and the new length.
  frame[1]! |= 1;
  frame[3] = (frame[3]! & 0b11111100) | (frame.length >> 11);
  frame[4] = (frame.length >> 3) & 0xff;
  frame[5] = ((frame.length & 7) << 5) | (frame[5]! & 0b11111);
  return { bytes: frame, samples: aacFrameSamples };
}
