import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
  readonly undo?: () => void;
}

interface ToastOptions {
  readonly tone?: Toast['tone'];
  readonly undo?: () => void;
  readonly ms?: number;
  /** Called when the toast times out or newer toasts push it out. Undo is not possible after that. */
  readonly onEnd?: () => void;
}

interface Clock {
  readonly onEnd: (() => void) | undefined;
  leftMs: number;
  since: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

export const toasts = signal<readonly Toast[]>([]);

let lastID = 0;
let isPaused = false;
const clocks = new Map<number, Clock>();
const plainMs = 5_000;
const badMs = 10_000;
const mostToasts = 3;

export const dropToast = (id: number): void => {
  clearTimeout(clocks.get(id)?.timer);
  clocks.delete(id);
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
};

function end(id: number): void {
  const onEnd = clocks.get(id)?.onEnd;
  dropToast(id);
  onEnd?.();
}

function run(id: number, clock: Clock): void {
  clock.since = performance.now();
  clock.timer = setTimeout(() => end(id), clock.leftMs);
}

export function showToast(text: string, { tone = 'plain', undo, onEnd, ms }: ToastOptions = {}): number {
  lastID += 1;
  const id = lastID;
  for (const { id: old } of toasts.peek().slice(0, 1 - mostToasts)) end(old);
  toasts.value = [...toasts.peek(), { id, text, tone, ...(undo ? { undo } : {}) }];
  const clock = { onEnd, leftMs: ms ?? (tone === 'bad' ? badMs : plainMs), since: 0, timer: undefined };
  clocks.set(id, clock);
  if (!isPaused) run(id, clock);
  return id;
}

/** Stops the timers while the pointer or the focus is on the toasts. */
export function pauseToasts(paused: boolean): void {
  if (paused === isPaused) return;
  isPaused = paused;
  for (const [id, clock] of clocks) {
    if (!paused) run(id, clock);
    else {
      clearTimeout(clock.timer);
      clock.leftMs -= performance.now() - clock.since;
    }
  }
}

/** Undoes the last action that can be undone. Returns whether there was one. */
export function undoLast(): boolean {
  const undo = toasts.peek().findLast((toast) => toast.undo)?.undo;
  undo?.();
  return undo !== undefined;
}
