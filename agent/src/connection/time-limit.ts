/** Aborts a request that does not go on. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly isOver: boolean;
  /** Counts from now. */
  restart(ms: number): void;
  /** The outer signal still aborts what is left to read. */
  stopTimer(): void;
  stop(): void;
}

export function limitTime(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  let isOver = false;
  const end = () => {
    isOver = true;
    controller.abort();
  };
  const abort = () => controller.abort(outer?.reason);
  let timer = setTimeout(end, ms);
  if (outer?.aborted) abort();
  outer?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    restart(next) {
      clearTimeout(timer);
      timer = setTimeout(end, next);
    },
    stopTimer: () => clearTimeout(timer),
    stop() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', abort);
    },
  };
}
