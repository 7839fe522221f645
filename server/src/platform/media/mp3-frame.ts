/** The header of a frame of MPEG audio, layer III. */
export interface Mp3Header {
  /** The two bits of the header: 3 is MPEG 1, 2 is MPEG 2, 0 is MPEG 2.5. */
  readonly version: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly hasChecksum: boolean;
  readonly frameBytes: number;
  readonly samples: number;
  /** The bytes between the header (with its checksum) and the main data. */
  readonly sideInfoBytes: number;
}

const sampleRates = [44_100, 48_000, 32_000];
const kilobits = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

export const headerBytes = 4;
const checksumBytes = 2;

/** Undefined if no frame begins here; free-format frames, which are not used in practice, are not recognised. */
export function readMp3Header(bytes: Uint8Array, at = 0): Mp3Header | undefined {
  if (at + headerBytes > bytes.length) return undefined;
  const [sync, kind, rates, mode] = bytes.subarray(at, at + headerBytes) as unknown as [number, number, number, number];
  const version = (kind >> 3) & 3;
  const bitrateIndex = rates >> 4;
  const rateIndex = (rates >> 2) & 3;
  const isLayer3 = (kind & 0b110) === 0b010;
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0 || !isLayer3 || version === 1) return undefined;
  if (bitrateIndex === 0 || bitrateIndex === 15 || rateIndex === 3) return undefined;
  const isMpeg1 = version === 3;
  const sampleRate = sampleRates[rateIndex]! / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  const channels = mode >> 6 === 3 ? 1 : 2;
  const isPadded = (rates & 2) !== 0;
  const sideInfoBytes = isMpeg1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return {
    version,
    sampleRate,
    channels,
    hasChecksum: (kind & 1) === 0,
    frameBytes: sizeOf(version, sampleRate, bitrateIndex) + (isPadded ? 1 : 0),
    samples: isMpeg1 ? 1152 : 576,
    sideInfoBytes,
  };
}

/** The offset of the main data in a frame. */
export const mainDataAt = (header: Mp3Header): number =>
  headerBytes + (header.hasChecksum ? checksumBytes : 0) + header.sideInfoBytes;

/** How many bytes before the frame its main data begins: the "bit reservoir". */
export function reservoirBytes(frame: Uint8Array, header: Mp3Header): number {
  const at = mainDataAt(header) - header.sideInfoBytes;
  return header.version === 3 ? (frame[at]! << 1) | (frame[at + 1]! >> 7) : frame[at]!;
}

/** How many bytes of its own the main data of a frame uses; the rest belongs to the frames after it. */
export function usedBytes(frame: Uint8Array, header: Mp3Header): number {
  const { channels, sideInfoBytes, version } = header;
  const sideInfo = frame.subarray(mainDataAt(header) - sideInfoBytes, mainDataAt(header));
  const isMpeg1 = version === 3;
  // Each granule of each channel has a block of side information, which begins with the length of its data in bits.
  const blockBits = isMpeg1 ? 59 : 63;
  const firstBlockAt = isMpeg1 ? (channels === 1 ? 18 : 20) : channels === 1 ? 9 : 10;
  const blocks = channels * (isMpeg1 ? 2 : 1);
  let bits = 0;
  for (let block = 0; block < blocks; block += 1) bits += read12Bits(sideInfo, firstBlockAt + block * blockBits);
  return Math.max(0, Math.ceil(bits / 8) - reservoirBytes(frame, header));
}

function read12Bits(bytes: Uint8Array, at: number): number {
  const first = at >> 3;
  const three = (bytes[first]! << 16) | (bytes[first + 1]! << 8) | (bytes[first + 2] ?? 0);
  return (three >> (12 - (at & 7))) & 0xfff;
}

/**
 * An empty frame of the same kind, without padding and checksum, with space for so much main data: a frame whose side
 * information is all zeros is silence. Undefined if no bitrate gives that much space.
 */
export function emptyMp3Frame(like: Uint8Array, roomBytes: number): Buffer | undefined {
  const header = readMp3Header(like)!;
  const before = headerBytes + header.sideInfoBytes;
  for (let index = 1; index < 15; index += 1) {
    const size = sizeOf(header.version, header.sampleRate, index);
    if (size - before < roomBytes) continue;
    const frame = Buffer.alloc(size);
    frame.set([0xff, like[1]! | 1, (index << 4) | (like[2]! & 0b1100), like[3]!]);
    return frame;
  }
  return undefined;
}

function sizeOf(version: number, sampleRate: number, bitrateIndex: number): number {
  const isMpeg1 = version === 3;
  const bitrate = (isMpeg1 ? kilobits.mpeg1 : kilobits.mpeg2)[bitrateIndex - 1]! * 1000;
  return Math.floor(((isMpeg1 ? 144 : 72) * bitrate) / sampleRate);
}
