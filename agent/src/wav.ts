import type { FileHandle } from 'node:fs/promises';

/** Sound that this agent records: one channel of 16 bits. */
export const captureRate = 16_000;
const sampleBytes = 2;
export const wavHeaderBytes = 44;

export const durationOfBytes = (soundBytes: number): number => (soundBytes / sampleBytes / captureRate) * 1_000;
export const bytesOfSeconds = (seconds: number): number => Math.round(seconds * captureRate) * sampleBytes;

export function wavHeader(soundBytes: number): Buffer {
  const header = Buffer.alloc(wavHeaderBytes);
  header.write('RIFF', 0);
  header.writeUInt32LE(wavHeaderBytes - 8 + soundBytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(captureRate, 24);
  header.writeUInt32LE(captureRate * sampleBytes, 28);
  header.writeUInt16LE(sampleBytes, 32);
  header.writeUInt16LE(sampleBytes * 8, 34);
  header.write('data', 36);
  header.writeUInt32LE(soundBytes, 40);
  return header;
}

/** Writes the header for the sound that is in the file, also if the process that wrote the sound was killed. */
export async function finishWav(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const soundBytes = Math.max(0, size - wavHeaderBytes) & ~1;
  await file.write(wavHeader(soundBytes), 0, wavHeaderBytes, 0);
  await file.truncate(wavHeaderBytes + soundBytes);
  await file.sync();
  return soundBytes;
}

/** What a WAV file says about its own length. */
export interface WavSizes {
  /** Undefined if the header does not tell it. */
  readonly durationMs: number | undefined;
  /** Whether the file has all the bytes that its header promises. */
  readonly isWhole: boolean;
}

const formatBytes = 16;
/** Every sample has its own bytes: PCM, float, A-law, µ-law, and PCM or float with more channels. */
const plainFormats = new Set([1, 3, 6, 7, 0xfffe]);

/** 0 if it is not known. Firmware that writes headers by hand gets this field wrong: what the samples need is right. */
function readByteRate(format: Buffer | undefined, length: number): number {
  if (!format) return 0;
  const [code, channels] = [format.readUInt16LE(0), format.readUInt16LE(2)];
  const [samplesPerSecond, named] = [format.readUInt32LE(4), format.readUInt32LE(8)];
  const [blockBytes, sampleBits] = [format.readUInt16LE(12), format.readUInt16LE(14)];
  const soundBlock = channels * Math.ceil(sampleBits / 8);
  if (!plainFormats.has(code) || length < formatBytes || samplesPerSecond * soundBlock === 0) return named;
  // Samples of 24 bits may lie in 32.
  const isPadded = blockBytes > soundBlock && named === samplesPerSecond * blockBytes;
  return isPadded ? named : samplesPerSecond * soundBlock;
}

/** A file of nothing but empty chunks must not be read for hours. */
const mostChunks = 1_000;
const unset = new Set([0, 0xffff_ffff]);

/** From the header of a WAV file in any format, also RF64; undefined for other files. */
export async function readWavShape(file: FileHandle, size: number): Promise<WavSizes | undefined> {
  const read = async (at: number, length: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
    return bytesRead === length ? buffer : undefined;
  };
  const start = await read(0, 12);
  const form = start?.toString('latin1', 0, 4) ?? '';
  if (!start || !['RIFF', 'RF64', 'BW64'].includes(form) || start.toString('latin1', 8, 12) !== 'WAVE')
    return undefined;
  let bytesPerSecond = 0;
  let riffBytes = start.readUInt32LE(4);
  let longData: number | undefined;
  for (let at = 12, chunks = 0; at + 8 <= size && chunks < mostChunks; chunks++) {
    const chunk = await read(at, 8);
    if (!chunk) break;
    const name = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    if (name === 'fmt ') bytesPerSecond = readByteRate(await read(at + 8, formatBytes), length);
    if (name === 'ds64') {
      const sizes = await read(at + 8, 16);
      riffBytes = Number(sizes?.readBigUInt64LE(0) ?? 0n);
      longData = Number(sizes?.readBigUInt64LE(8) ?? 0n);
    }
    if (name === 'data') {
      const dataBytes = longData ?? length;
      const there = size - at - 8;
      const isKnown = !unset.has(dataBytes) && !unset.has(riffBytes);
      return {
        // A recorder that streams writes a length that is too large, or none yet.
        durationMs:
          bytesPerSecond > 0 ? ((isKnown ? Math.min(dataBytes, there) : there) / bytesPerSecond) * 1_000 : undefined,
        // Some recorders do not count the last, odd byte.
        isWhole: isKnown && dataBytes <= there && riffBytes + 8 <= size + 1,
      };
    }
    at += 8 + length + (length % 2);
  }
  return { durationMs: undefined, isWhole: false };
}
