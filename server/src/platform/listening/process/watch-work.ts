import type { EngineProcess } from './child-process.ts';

/** Watches a process from the time it was given work until it reports progress. */
export interface WorkWatch {
  /** It has work, or has made progress: the time begins again. */
  restart(): void;
  /** It has no work. */
  pause(): void;
}

const mostCheckMs = 1_000;
/** A process that gets less than this share of the time does not work. */
const leastShare = 0.001;

/**
 * Calls `giveUp` with the reason if a process works for a time without progress. On a busy machine a process may get a
 * fiftieth of a processor, so its processor time counts: it may use `stallMs` of it. The clock counts only for a process
 * that uses none at all, because it is stopped or waits for something, or because the system does not report it.
 */
export function watchWork(
  child: Pick<EngineProcess, 'processorMs'>,
  stallMs: number,
  giveUp: (reason: string) => void,
): WorkWatch {
  const seconds = stallMs / 1_000;
  let stopChecks = () => {};

  const restart = () => {
    stopChecks();
    let isStopped = false;
    const beganMs = performance.now();
    let usedBefore: number | undefined;
    let last = { atMs: beganMs, usedMs: 0 };
    const check = async () => {
      const usedMs = await child.processorMs();
      if (isStopped) return;
      const nowMs = performance.now();
      usedBefore ??= usedMs;
      if (usedMs - last.usedMs >= stallMs * leastShare) last = { atMs: nowMs, usedMs };
      if (nowMs - beganMs < stallMs) return;
      if (usedMs - usedBefore >= stallMs) giveUp(`it made no progress in ${seconds} seconds of processor time`);
      else if (nowMs - last.atMs >= stallMs) giveUp(`it made no progress for ${seconds} seconds`);
    };
    const timer = setInterval(() => void check(), Math.min(mostCheckMs, stallMs / 4));
    stopChecks = () => {
      isStopped = true;
      clearInterval(timer);
    };
  };

  return { restart, pause: () => stopChecks() };
}
