import { explain } from './api.ts';
import { say } from './toasts.ts';

/** What went wrong is said; the caller only learns that it did. */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    say(explain(error), { tone: 'bad' });
    return false;
  }
}
