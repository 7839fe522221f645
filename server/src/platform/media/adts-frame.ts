/** The header of an AAC frame in ADTS. */
export interface AdtsHeader {
  /** 2 is LC, the only common kind. */
  readonly objectType: number;
  readonly rateIndex: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly headerBytes: number;
  readonly frameBytes: number;
}

const sampleRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

/** Samples of one frame, before SBR doubles the rate. */
export const aacFrameSamples = 1024;

export function readAdtsHeader(bytes: Uint8Array, at = 0): AdtsHeader | undefined {
  if (at + 7 > bytes.length) return undefined;
  const byte = (index: number): number => bytes[at + index]!;
  if (byte(0) !== 0xff || (byte(1) & 0xf6) !== 0xf0) return undefined;
  const rateIndex = (byte(2) >> 2) & 15;
  const sampleRate = sampleRates[rateIndex];
  const headerBytes = (byte(1) & 1) === 1 ? 7 : 9;
  const frameBytes = ((byte(3) & 3) << 11) | (byte(4) << 3) | (byte(5) >> 5);
  if (sampleRate === undefined || frameBytes <= headerBytes) return undefined;
  const channels = ((byte(2) & 1) << 2) | (byte(3) >> 6);
  return { objectType: (byte(2) >> 6) + 1, rateIndex, sampleRate, channels, headerBytes, frameBytes };
}
