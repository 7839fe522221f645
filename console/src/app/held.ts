import { signal } from '@preact/signals';
import { explain, whileLeaving } from './api.ts';
import { onSignOut } from './session.ts';
import { dropToast, say } from './toasts.ts';

/*
 * What cannot be undone on the server is held back here for some seconds: it looks done at once, "Undo" costs nothing,
 * and it is sent when its line goes (its time is over, others need the room) or the page does.
 */
const heldMs = 6_000;

interface Held {
  readonly send: () => Promise<unknown>;
  readonly toast: number;
}

const held = new Map<string, Held>();
const looksDone = signal<ReadonlySet<string>>(new Set());

/** Whether a record is about to go: what shows it leaves it out, or shows it as done. */
export const isHeld = (record: string): boolean => looksDone.value.has(record);

function mark(records: readonly string[], done: boolean): void {
  const next = new Set(looksDone.peek());
  for (const record of records) {
    if (done) next.add(record);
    else next.delete(record);
  }
  looksDone.value = next;
}

export function hold(record: string, text: string, send: () => Promise<unknown>): void {
  holdAll([record], text, send);
}

/** Several at once, which go and come back together. */
export function holdAll(records: readonly string[], text: string, send: () => Promise<unknown>): void {
  const name = records.join(' ');
  if (held.has(name)) return;
  const finish = async () => {
    held.delete(name);
    try {
      await send();
    } catch (error) {
      say(explain(error), { tone: 'bad' });
      mark(records, false);
    }
  };
  const toast = say(text, {
    ms: heldMs,
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

/** Now rather than later; before signing out, what looks done must be. */
export async function sendHeld(): Promise<void> {
  const waiting = [...held.values()];
  held.clear();
  for (const { toast } of waiting) dropToast(toast);
  await Promise.allSettled(waiting.map(({ send }) => send()));
}

export function sendHeldWhenLeaving(): void {
  addEventListener('pagehide', () => whileLeaving(() => void sendHeld()));
  onSignOut(() => {
    for (const { toast } of held.values()) dropToast(toast);
    held.clear();
    looksDone.value = new Set();
  });
}
