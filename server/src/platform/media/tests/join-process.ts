// A separate process that joins a clip many times, and prints how much memory it and its children used.
import { openMedia } from '@earshot/server/platform/media/media';
import { readFile } from 'node:fs/promises';
import { argv, pid, stdout } from 'node:process';

export interface JoinTask {
  readonly path: string;
  readonly clipMs: number;
  readonly count: number;
  readonly format: 'wav' | 'flac' | 'same';
  readonly target: string;
}

export interface JoinCost {
  readonly durationMs: number;
  readonly isReencoded: boolean;
  readonly tookMs: number;
  readonly ownPeakBytes: number;
  readonly childPeakBytes: number;
}

/** The peak memory of a process, as reported by the kernel. */
async function peakOf(id: string): Promise<number> {
  const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
}

async function childPeak(): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter((id) => id !== '');
  return Math.max(0, ...(await Promise.all(children.map(peakOf))));
}

async function main({ path, clipMs, count, format, target }: JoinTask): Promise<JoinCost> {
  let childPeakBytes = 0;
  const watch = setInterval(
    () => void childPeak().then((peak) => (childPeakBytes = Math.max(childPeakBytes, peak))),
    50,
  );
  const pieces = Array.from({ length: count }, (_, index) => ({
    startMs: index * clipMs,
    endMs: (index + 1) * clipMs,
    open: async () => ({ path, release: async () => undefined }),
  }));
  const media = openMedia({ log: { info: () => {}, warn: () => {}, error: () => {} } });
  const begun = performance.now();
  const { durationMs, isReencoded } = await media.join({
    pieces,
    fromMs: 0,
    toMs: count * clipMs,
    gaps: 'silence',
    format,
    target,
  });
  const tookMs = performance.now() - begun;
  clearInterval(watch);
  return { durationMs, isReencoded, tookMs, ownPeakBytes: await peakOf('self'), childPeakBytes };
}

stdout.write(JSON.stringify(await main(JSON.parse(argv[2]!) as JoinTask)));
