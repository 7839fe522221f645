import { createHash, randomBytes } from 'node:crypto';

export interface MadeSound {
  readonly bytes: Buffer;
  readonly sha256: string;
}

const sampleRate = 16_000;
const headBytes = 44;

export const soundFileBytes = (seconds: number): number => headBytes + dataBytesOf(seconds);

const dataBytesOf = (seconds: number): number => Math.round(seconds * sampleRate) * 2;

/** Recordings of quiet noise as WAV, each one with different bytes. */
export function createSounds(seconds: number): () => MadeSound {
  const dataBytes = dataBytesOf(seconds);
  const pattern = Buffer.concat([wavHead(dataBytes), quietNoise(dataBytes)]);
  let made = 0;
  return () => {
    const bytes = Buffer.from(pattern);
    // The first samples differ, so that no two uploads have the same hash, in this run and in others.
    randomBytes(8).copy(bytes, headBytes);
    bytes.writeUInt32LE((made += 1), headBytes + 8);
    return { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  };
}

function quietNoise(length: number): Buffer {
  const noise = randomBytes(length);
  for (let at = 0; at < length; at += 2) noise.writeInt16LE(noise.readInt16LE(at) >> 6, at);
  return noise;
}

function wavHead(dataBytes: number): Buffer {
  const head = Buffer.alloc(headBytes);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(headBytes - 8 + dataBytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(dataBytes, 40);
  return head;
}
