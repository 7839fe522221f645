import { aacFrameSamples, readAdtsHeader } from '../../adts-frame.ts';
import type { ProbedShape } from '../../ffmpeg-probe.ts';
import { FileWriter } from '../file-writer.ts';
import type { BoxParts } from './mp4-boxes.ts';
import { box, fullBox, makeEsds, numbers } from './mp4-boxes.ts';
import type { PacketWriter } from './packet-codec.ts';
import { CopyImpossible } from './packet-codec.ts';

const packetsPerChunk = 64;
const sizesPerPart = 16_384;
const mostSamples = 2 ** 32 - 2 * aacFrameSamples;

/**
 * AAC in MP4: first the packets, then their table. The table uses four bytes of memory for each packet, 7 MB for ten
 * hours; ffmpeg's writer uses ten times as much.
 */
export async function openMp4Writer(path: string, { sampleRate }: ProbedShape): Promise<PacketWriter> {
  const file = await FileWriter.create(path);
  const type = Buffer.concat(box('ftyp', Buffer.from('M4A '), numbers(0x200), Buffer.from('M4A mp42isom')));
  // The size of the data is written at the end, in 64 bits.
  const dataHeader = Buffer.concat([numbers(1), Buffer.from('mdat'), Buffer.alloc(8)]);
  await file.append(type);
  await file.append(dataHeader);
  const table = new PacketTable();
  let at = type.length + dataHeader.length;
  let config: Buffer | undefined;

  return {
    async write({ bytes }) {
      const header = readAdtsHeader(bytes)!;
      const { rateIndex, channels } = header;
      config ??= Buffer.from([(2 << 3) | (rateIndex >> 1), ((rateIndex & 1) << 7) | (channels << 3)]);
      const packet = bytes.subarray(header.headerBytes);
      // Lengths have 32 bits here, which is about a day at 48 kHz.
      if (table.samples > mostSamples) throw new CopyImpossible();
      table.add(packet.length, at);
      at += packet.length;
      await file.append(packet);
    },
    async finish(leadSamples, totalSamples) {
      const movie = makeMovie({ sampleRate, config: config!, table, leadSamples, totalSamples });
      for (const part of movie) await file.append(part);
      const size = Buffer.alloc(8);
      size.writeBigUInt64BE(BigInt(at - type.length));
      await file.finish([{ at: type.length + 8, bytes: size }]);
    },
    abort: () => file.close(),
  };
}

class PacketTable {
  readonly #sizes: Buffer[] = [];
  #count = 0;
  readonly #chunks: number[] = [];

  add(bytes: number, at: number): void {
    const index = this.#count % sizesPerPart;
    if (index === 0) this.#sizes.push(Buffer.alloc(sizesPerPart * 4));
    if (this.#count % packetsPerChunk === 0) this.#chunks.push(at);
    this.#sizes.at(-1)!.writeUInt32BE(bytes, index * 4);
    this.#count += 1;
  }

  get samples(): number {
    return this.#count * aacFrameSamples;
  }

  /** stts, stsc, stsz and co64: the durations, counts, sizes and offsets. */
  makeBoxes(): BoxParts {
    const places = Buffer.alloc(this.#chunks.length * 8);
    for (const [index, place] of this.#chunks.entries()) places.writeBigUInt64BE(BigInt(place), index * 8);
    return [
      ...fullBox('stts', 0, numbers(1, this.#count, aacFrameSamples)),
      ...fullBox('stsc', 0, this.#makeRuns()),
      ...fullBox('stsz', 0, numbers(0, this.#count), this.#cutSizes()),
      ...fullBox('co64', 0, numbers(this.#chunks.length), places),
    ];
  }

  /** The number of packets in each chunk; only the last chunk may have fewer. */
  #makeRuns(): Buffer {
    const inLast = this.#count % packetsPerChunk;
    const full = this.#count < packetsPerChunk ? [] : [1, packetsPerChunk, 1];
    const last = inLast === 0 ? [] : [this.#chunks.length, inLast, 1];
    return numbers((full.length + last.length) / 3, ...full, ...last);
  }

  #cutSizes(): BoxParts {
    const inLast = this.#count - (this.#sizes.length - 1) * sizesPerPart;
    return this.#sizes.map((part, index) => (index === this.#sizes.length - 1 ? part.subarray(0, inLast * 4) : part));
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

/** The movie uses the time unit of its sound, so that the edit list is exact to the sample. */
function makeMovie({ sampleRate, config, table, leadSamples, totalSamples }: Movie): BoxParts {
  const channels = (config[1]! >> 3) & 15;
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(channels, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt32BE(sampleRate * 0x10000, 24);
  const described = fullBox('stsd', 0, numbers(1), box('mp4a', entry, makeEsds(config)));
  const reference = fullBox('dref', 0, numbers(1), fullBox('url ', 1));
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
