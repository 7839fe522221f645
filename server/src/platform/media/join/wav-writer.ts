import type { SampleFormat } from '../sound.ts';
import { FileWriter } from './file-writer.ts';
import type { PcmSink } from './pcm-sink.ts';

export interface WavShape {
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitDepth: 16 | 24 | 32;
  readonly sampleFormat: SampleFormat;
}

const headerBytes = 80;
const mostRiffBytes = 0xffffffff;

/**
 * Writes WAV while samples arrive. Writes the sizes in its header at the end, as RF64 if they need more than 32 bits.
 */
export async function openWavWriter(path: string, shape: WavShape): Promise<PcmSink> {
  const file = await FileWriter.create(path);
  let dataBytes = 0;
  await file.append(makeHeader(shape, 0));
  return {
    async write(bytes) {
      const packed = shape.bitDepth === 24 ? packTo24Bits(bytes) : bytes;
      dataBytes += packed.length;
      await file.append(packed);
    },
    async finish() {
      if (dataBytes % 2 === 1) await file.append(Buffer.alloc(1));
      await file.finish([{ at: 0, bytes: makeHeader(shape, dataBytes) }]);
    },
    abort: () => file.close(),
  };
}

function makeHeader({ sampleRate, channels, bitDepth, sampleFormat }: WavShape, dataBytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  const riffBytes = headerBytes - 8 + dataBytes + (dataBytes % 2);
  const isLong = riffBytes > mostRiffBytes;
  const frameBytes = (channels * bitDepth) / 8;
  header.write(isLong ? 'RF64' : 'RIFF', 0);
  header.writeUInt32LE(Math.min(riffBytes, mostRiffBytes), 4);
  header.write('WAVE', 8);
  // Reserved space for the 64-bit sizes.
  header.write(isLong ? 'ds64' : 'JUNK', 12);
  header.writeUInt32LE(28, 16);
  if (isLong) {
    header.writeBigUInt64LE(BigInt(riffBytes), 20);
    header.writeBigUInt64LE(BigInt(dataBytes), 28);
    header.writeBigUInt64LE(BigInt(dataBytes / frameBytes), 36);
  }
  header.write('fmt ', 48);
  header.writeUInt32LE(16, 52);
  header.writeUInt16LE(sampleFormat === 'f32' ? 3 : 1, 56);
  header.writeUInt16LE(channels, 58);
  header.writeUInt32LE(sampleRate, 60);
  header.writeUInt32LE(sampleRate * frameBytes, 64);
  header.writeUInt16LE(frameBytes, 68);
  header.writeUInt16LE(bitDepth, 70);
  header.write('data', 72);
  header.writeUInt32LE(isLong ? mostRiffBytes : dataBytes, 76);
  return header;
}

function packTo24Bits(bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array((bytes.length / 4) * 3);
  for (let from = 0, to = 0; from < bytes.length; from += 4, to += 3) {
    packed[to] = bytes[from + 1]!;
    packed[to + 1] = bytes[from + 2]!;
    packed[to + 2] = bytes[from + 3]!;
  }
  return packed;
}
