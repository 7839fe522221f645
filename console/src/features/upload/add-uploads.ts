import { currentLocation, navigate } from '../../lib/location.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import type { FoundFile } from './dropped-files.ts';

/** Adds files to the list and shows it. They are sent at once, unless a question must be answered first. */
export async function addUploads(files: readonly FoundFile[]): Promise<void> {
  const [{ addFiles }, { runUploads }, { readStarts }] = await Promise.all([
    import('./list.ts'),
    import('./queue.ts'),
    import('./read-starts.ts'),
  ]);
  const others = addFiles(files);
  runUploads();
  void readStarts();
  const isNoSound = files.length > 0 && others === files.length;
  if (isNoSound) showToast(`${countText(others, 'file')} left out: not sound.`);
  else if (currentLocation.peek().path !== '/upload') navigate('/upload');
}
