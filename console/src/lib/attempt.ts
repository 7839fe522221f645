import { errorMessage } from './api.ts';
import { showToast } from './toasts.ts';

/** Runs an action and shows an error as a toast. Returns whether the action succeeded. */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    showToast(errorMessage(error), { tone: 'bad' });
    return false;
  }
}
