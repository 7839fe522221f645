import { sampleRate } from '../engine.ts';

const headerBytes = 44;

/** Samples as a 16-bit WAV file, which every server reads. */
export function encodeWav(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(headerBytes + samples.length * 2);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [at, sample] of samples.entries()) {
    const level = Math.round(Math.max(-1, Math.min(1, sample || 0)) * 32_767);
    bytes.writeInt16LE(level, headerBytes + at * 2);
  }
  return bytes;
}
