import { mainDataAt, readMp3Header, emptyMp3Frame } from '../../mp3-frame.ts';
import { readFrames } from './frame-reader.ts';
import { openMp3Writer } from './mp3-writer.ts';
import type { Packet, PacketCodec } from './packet-codec.ts';

/** The main data of a frame may start at most this many bytes before the frame (nine bits). */
const longestReservoir = 511;

export const mp3Codec: PacketCodec = {
  streamArguments: ['-f', 'mp3', '-write_xing', '0', '-id3v2_version', '0'],
  rate: ({ sampleRate }) => sampleRate,
  prerollSamples: 1152,
  canTrim: true,
  contentType: 'audio/mpeg',
  extension: 'mp3',
  openStream: async (chunks, { leadSamples }) => ({ leadSamples, packets: readPackets(chunks) }),
  makeSilence: ({ bytes, samples }) => ({ bytes: emptyMp3Frame(bytes, 0)!, samples }),
  openWriter: openMp3Writer,
};

async function* readPackets(chunks: AsyncIterable<Buffer>): AsyncGenerator<Packet> {
  let reservoir = Buffer.alloc(0);
  for await (const bytes of readFrames(chunks, (all, at) => readMp3Header(all, at)?.frameBytes)) {
    const header = readMp3Header(bytes)!;
    yield { bytes, samples: header.samples, reservoir };
    const all = Buffer.concat([reservoir, bytes.subarray(mainDataAt(header))]);
    reservoir = all.subarray(Math.max(0, all.length - longestReservoir));
  }
}
