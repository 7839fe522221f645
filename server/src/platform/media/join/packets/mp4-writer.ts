import { aacFrameSamples, readAdtsHeader } from '../../adts-frame.ts';
import type { ProbedShape } from '../../ffmpeg-probe.ts';
import { FileWriter } from '../file-writer.ts';
import { box, fullBox, makeEsds, numbers } from './mp4-boxes.ts';
import type { PacketWriter } from './packet-codec.ts';

const packetsPerChunk = 64;

/**
 * AAC in MP4: the packets as they come, the table of them at the end. The table keeps four bytes for each packet in
 * memory, 7 MB for ten hours; ffmpeg's own writer would keep ten times that.
 */
export async function openMp4Writer(path: string, { sampleRate }: ProbedShape): Promise<PacketWriter> {
  const file = await FileWriter.create(path);
  const type = box('ftyp', Buffer.from('M4A '), numbers(0x200), Buffer.from('M4A mp42isom'));
  // The size of what follows is written at the end, in 64 bits.
  const dataHeader = Buffer.concat([numbers(1), Buffer.from('mdat'), Buffer.alloc(8)]);
  await file.append(Buffer.concat([type, dataHeader]));
  const dataAt = type.length + dataHeader.length;
  const table = new PacketTable();
  let at = dataAt;
  let config: Buffer | undefined;

  return {
    async write({ bytes }) {
      const header = readAdtsHeader(bytes)!;
      config ??= Buffer.from([
        (2 << 3) | (header.rateIndex >> 1),
        ((header.rateIndex & 1) << 7) | (header.channels << 3),
      ]);
      const packet = bytes.subarray(header.headerBytes);
      table.add(packet.length, at);
      at += packet.length;
      await file.append(packet);
    },
    async finish(leadSamples, totalSamples) {
      await file.append(makeMovie({ sampleRate, config: config!, table, leadSamples, totalSamples }));
      const size = Buffer.alloc(8);
      size.writeBigUInt64BE(BigInt(at - type.length));
      await file.finish([{ at: type.length + 8, bytes: size }]);
    },
    abort: () => file.close(),
  };
}

class PacketTable {
  #sizes = Buffer.alloc(4096);
  #count = 0;
  readonly #chunks: number[] = [];

  add(bytes: number, at: number): void {
    if (this.#count * 4 === this.#sizes.length)
      this.#sizes = Buffer.concat([this.#sizes, Buffer.alloc(this.#count * 4)]);
    if (this.#count % packetsPerChunk === 0) this.#chunks.push(at);
    this.#sizes.writeUInt32BE(bytes, this.#count * 4);
    this.#count += 1;
  }

  get samples(): number {
    return this.#count * aacFrameSamples;
  }

  /** stts, stsc, stsz and co64: how long, how many together, how large and where. */
  makeBoxes(): Buffer {
    const places = Buffer.alloc(this.#chunks.length * 8);
    for (const [index, place] of this.#chunks.entries()) places.writeBigUInt64BE(BigInt(place), index * 8);
    const inLast = this.#count % packetsPerChunk;
    const runs = [1, packetsPerChunk, 1, ...(inLast === 0 ? [] : [this.#chunks.length, inLast, 1])];
    return Buffer.concat([
      fullBox('stts', 0, numbers(1, this.#count, aacFrameSamples)),
      // One chunk that is not full has no full one before it.
      fullBox('stsc', 0, this.#count < packetsPerChunk ? numbers(1, 1, inLast, 1) : numbers(runs.length / 3, ...runs)),
      fullBox('stsz', 0, Buffer.concat([numbers(0, this.#count), this.#sizes.subarray(0, this.#count * 4)])),
      fullBox('co64', 0, Buffer.concat([numbers(this.#chunks.length), places])),
    ]);
  }
}

interface Movie {
  readonly sampleRate: number;
  readonly config: Buffer;
  readonly table: PacketTable;
  readonly leadSamples: number;
  readonly totalSamples: number;
}

const unity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

/** The clock of the movie is the one of its sound, so that the edit list is exact to the sample. */
function makeMovie({ sampleRate, config, table, leadSamples, totalSamples }: Movie): Buffer {
  const channels = (config[1]! >> 3) & 15;
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(channels, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt32BE(sampleRate * 0x10000, 24);
  const described = fullBox('stsd', 0, Buffer.concat([numbers(1), box('mp4a', entry, makeEsds(config))]));
  const reference = fullBox('dref', 0, Buffer.concat([numbers(1), fullBox('url ', 1)]));
  const soundName = Buffer.concat([numbers(0), Buffer.from('soun'), Buffer.alloc(13)]);
  const info = box(
    'minf',
    fullBox('smhd', 0, numbers(0)),
    box('dinf', reference),
    box('stbl', described, table.makeBoxes()),
  );
  const media = box(
    'mdia',
    fullBox('mdhd', 0, numbers(0, 0, sampleRate, table.samples, 0x55c40000)),
    fullBox('hdlr', 0, soundName),
    info,
  );
  const edits = fullBox('elst', 0, numbers(1, totalSamples, leadSamples, 0x10000));
  const track = box(
    'trak',
    fullBox('tkhd', 3, numbers(0, 0, 1, 0, totalSamples, 0, 0, 0, 0x01000000, ...unity, 0, 0)),
    box('edts', edits),
    media,
  );
  const movie = numbers(0, 0, sampleRate, totalSamples, 0x10000, 0x01000000, 0, 0, ...unity, 0, 0, 0, 0, 0, 0, 2);
  return box('moov', fullBox('mvhd', 0, movie), track);
}
