import { showToast } from '../toasts.ts';
import { countText } from '../ui/count-text.ts';

/** Where the browser does not allow copying (plain HTTP), the person is told of the other way. */
export async function copyRows(text: string, count: number): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast(`${countText(count, 'row')} copied.`);
  } catch {
    showToast('The browser does not allow copying here. Export the rows instead.', { tone: 'bad' });
  }
}
