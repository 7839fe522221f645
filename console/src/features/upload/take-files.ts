import { currentLocation, navigate } from '../../lib/location.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import type { FoundFile } from './dropped-files.ts';

/** Adds files to the list, shows it, and continues uploads whose files are found again. */
export async function takeFiles(files: readonly FoundFile[]): Promise<void> {
  const [{ addFiles }, { continueUploads }] = await Promise.all([import('./list.ts'), import('./queue.ts')]);
  const { found, skipped } = addFiles(files);
  if (found.length > 0) continueUploads();
  if (skipped > 0) showToast(`${countText(skipped, 'file')} left out: not sound.`);
  if (files.length > skipped && currentLocation.peek().path !== '/upload') navigate('/upload');
}
