import { signal } from '@preact/signals';

/** Whether the page has text that is not saved. Leaving the page then asks first. */
export const hasUnsaved = signal(false);

/** Continues to the page that the person wants to go to; set while the person is asked. */
export const wantsToLeave = signal<(() => void) | undefined>(undefined);

/** Whether the page may be left at once. If not, the person is asked, and `go` is called if they agree. */
export function mayLeave(go: () => void): boolean {
  if (!hasUnsaved.peek()) return true;
  wantsToLeave.value = go;
  return false;
}

/** Called by the question: leaves the page, or stays. */
export function answerLeaving(leaves: boolean): void {
  const go = wantsToLeave.peek();
  wantsToLeave.value = undefined;
  if (!leaves) return;
  hasUnsaved.value = false;
  go?.();
}

/** The browser asks in its own words when the tab is closed or reloaded. */
export function askBeforeUnload(): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (hasUnsaved.peek()) event.preventDefault();
  };
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
