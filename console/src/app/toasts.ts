import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
  readonly undo?: () => void;
}

export const toasts = signal<readonly Toast[]>([]);

let lastID = 0;
const plainMs = 5_000;
const badMs = 10_000;

export const dropToast = (id: number): void => {
  toasts.value = toasts.peek().filter((toast) => toast.id !== id);
};

export function say(text: string, more: { tone?: Toast['tone']; undo?: () => void; ms?: number } = {}): number {
  const { tone = 'plain', undo, ms = tone === 'bad' ? badMs : plainMs } = more;
  lastID += 1;
  const id = lastID;
  toasts.value = [...toasts.peek().slice(-2), { id, text, tone, ...(undo ? { undo } : {}) }];
  setTimeout(() => dropToast(id), ms);
  return id;
}
