import { text } from 'node:stream/consumers';
import { conflict, Refusal } from '../../../errors.ts';
import { createLimiter } from '../../../platform/limiter.ts';
import { MediaError } from '../../../platform/media/media-error.ts';
import type { Peaks } from '../../../platform/media/peaks.ts';
import { StoredFileMissing } from '../../../platform/storage/storage-error.ts';
import type { SoundParts, StoredFile } from '../../file/public.ts';
import { describeSound, peaksName } from '../../file/public.ts';

/** The waveforms of files: computed once and stored beside the files. */
export interface Waveforms {
  find(file: StoredFile): Promise<Peaks>;
}

/** The most points that a request may ask for; fewer for short sound, where more would not be visible. */
const mostPoints = 20_000;
const finestPerSecond = 100;
const limits = { atOnce: 2, perOwner: 1, waiting: 400, waitingPerOwner: 100 };

export function createWaveforms(parts: SoundParts): Waveforms {
  const underWay = new Map<number, Promise<Peaks>>();
  const limiter = createLimiter({ ...limits, refuse: tooBusy });

  const findOrCompute = async (file: StoredFile): Promise<Peaks> =>
    (await readKept(parts, file)) ?? limiter.run(file.ownerID, () => compute(parts, file));
  return {
    find(file) {
      const running = underWay.get(file.key) ?? findOrCompute(file).finally(() => underWay.delete(file.key));
      underWay.set(file.key, running);
      return running;
    },
  };
}

const tooBusy = (why: 'owner' | 'all') =>
  new Refusal(
    why === 'owner' ? 'tooMany' : 'unavailable',
    'Too many waveforms are being computed; retry in a few seconds.',
    {
      headers: { 'retry-after': '2' },
    },
  );

async function compute(parts: SoundParts, file: StoredFile): Promise<Peaks> {
  const { storage, scratch, media } = parts;
  try {
    const { durationMs = 0 } = (await describeSound(parts, file.key)) ?? {};
    const pointsPerSecond = Math.min(finestPerSecond, (mostPoints * 1000) / Math.max(durationMs, 1));
    const work = (path: string) => media.computePeaks(path, { pointsPerSecond });
    const peaks = await scratch.withStored(storage, file.storageName, work);
    await keep(parts, file, peaks);
    return peaks;
  } catch (error) {
    if (error instanceof MediaError) throw conflict(`The waveform cannot be computed: ${error.message}.`);
    throw error;
  }
}

/** Stored as JSON with the points in base64: they are few. */
interface KeptPeaks {
  readonly pointsPerSecond: number;
  readonly durationMs: number;
  readonly data: string;
}

async function readKept({ storage }: SoundParts, { storageName }: StoredFile): Promise<Peaks | undefined> {
  try {
    const kept = JSON.parse(await text(await storage.read(peaksName(storageName)))) as KeptPeaks;
    return { ...kept, data: new Uint8Array(Buffer.from(kept.data, 'base64')) };
  } catch (error) {
    if (error instanceof StoredFileMissing) return undefined;
    throw error;
  }
}

/** A failure to store is ignored: the waveform is computed again. Another node may be storing it, or failed to. */
async function keep({ storage }: SoundParts, { storageName }: StoredFile, peaks: Peaks): Promise<void> {
  const name = peaksName(storageName);
  const kept: KeptPeaks = { ...peaks, data: Buffer.from(peaks.data).toString('base64') };
  const bytes = Buffer.from(JSON.stringify(kept));
  try {
    await storage.append(name, { offset: 0, size: bytes.length, length: bytes.length, source: inOne(bytes) });
    await storage.finish(name, bytes.length);
  } catch {
    await storage.remove(name).catch(() => {});
  }
}

async function* inOne(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** At most this many points, each the outline of the points that it replaces. */
export function reducePeaks({ data, pointsPerSecond }: Peaks, most: number) {
  const signed = new Int8Array(data.buffer, data.byteOffset, data.byteLength);
  const count = signed.length / 2;
  if (count <= most) return { pointsPerSecond, peaks: [...signed] };
  const peaks: number[] = [];
  for (let point = 0; point < most; point++) {
    const [from, to] = [point, point + 1].map((at) => Math.floor((at * count) / most)) as [number, number];
    let [low, high] = [127, -128];
    for (let at = from; at < to; at++) {
      low = Math.min(low, signed[2 * at] ?? low);
      high = Math.max(high, signed[2 * at + 1] ?? high);
    }
    peaks.push(low, high);
  }
  return { pointsPerSecond: (pointsPerSecond * most) / count, peaks };
}
