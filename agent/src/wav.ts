import { open, type FileHandle } from 'node:fs/promises';

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

/** The duration of a WAV file in any format, from its header; undefined for other files. */
export async function readWavDuration(path: string): Promise<number | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const read = async (at: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      return bytesRead === length ? buffer : undefined;
    };
    const start = await read(0, 12);
    if (start?.toString('latin1', 0, 4) !== 'RIFF' || start.toString('latin1', 8, 12) !== 'WAVE') return undefined;
    let bytesPerSecond = 0;
    for (let at = 12; at + 8 <= size;) {
      const chunk = (await read(at, 8))!;
      const length = chunk.readUInt32LE(4);
      const name = chunk.toString('latin1', 0, 4);
      if (name === 'fmt ') bytesPerSecond = (await read(at + 16, 4))?.readUInt32LE(0) ?? 0;
      // A recorder that streams writes a length that is too large.
      if (name === 'data')
        return bytesPerSecond > 0 ? (Math.min(length, size - at - 8) / bytesPerSecond) * 1_000 : undefined;
      at += 8 + length + (length % 2);
    }
    return undefined;
  } finally {
    await file.close();
  }
}
