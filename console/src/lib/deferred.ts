import { signal } from '@preact/signals';
import { errorMessage, duringUnload } from './api.ts';
import { onSignOut } from './session.ts';
import { dropToast, showToast } from './toasts.ts';

/*
 * Actions that the server cannot undo are deferred for some seconds. The page shows them as done at once, and "Undo"
 * only drops them. They are sent when their toast ends (timeout, or newer toasts push it out) or the page unloads.
 */
const deferMs = 6_000;

interface Deferred {
  readonly send: () => Promise<unknown>;
  readonly toast: number;
}

const held = new Map<string, Deferred>();
const looksDone = signal<ReadonlySet<string>>(new Set());

/** Whether a deferred action is pending for the record. Pages then hide the record, or show the action as done. */
export const isDeferred = (record: string): boolean => looksDone.value.has(record);

function mark(records: readonly string[], done: boolean): void {
  const next = new Set(looksDone.peek());
  for (const record of records) {
    if (done) next.add(record);
    else next.delete(record);
  }
  looksDone.value = next;
}

export function deferAction(record: string, text: string, send: () => Promise<unknown>): void {
  deferActions([record], text, send);
}

/** Several records in one action, with one Undo. */
export function deferActions(records: readonly string[], text: string, send: () => Promise<unknown>): void {
  const name = records.join(' ');
  if (held.has(name)) return;
  const finish = async () => {
    held.delete(name);
    try {
      await send();
    } catch (error) {
      showToast(errorMessage(error), { tone: 'bad' });
      mark(records, false);
    }
  };
  const toast = showToast(text, {
    ms: deferMs,
    onEnd: () => void finish(),
    undo: () => {
      held.delete(name);
      mark(records, false);
      dropToast(toast);
    },
  });
  held.set(name, { send, toast });
  mark(records, true);
}

/** Sends all deferred actions now, for example before signing out. */
export async function sendDeferred(): Promise<void> {
  const waiting = [...held.values()];
  held.clear();
  for (const { toast } of waiting) dropToast(toast);
  await Promise.allSettled(waiting.map(({ send }) => send()));
}

export function sendDeferredOnUnload(): void {
  addEventListener('pagehide', () => duringUnload(() => void sendDeferred()));
  onSignOut(() => {
    for (const { toast } of held.values()) dropToast(toast);
    held.clear();
    looksDone.value = new Set();
  });
}
