import { attempt } from '../../lib/attempt.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import type { UploadItem } from './item.ts';
import { dropItem } from './list.ts';
import { continueUploads, openHandles } from './queue.ts';

/** After a reload: what is left, and how to continue. */
export function MissingFiles({ items }: { readonly items: readonly UploadItem[] }) {
  const missing = items.filter(({ state }) => state === 'missing');
  if (missing.length === 0) return null;
  const canOpen = missing.some(({ handle }) => handle !== undefined);
  const open = () =>
    attempt(async () => {
      if ((await openHandles('request')) > 0) continueUploads();
    });
  return (
    <div class="notice" role="status">
      <p>
        <strong>{countText(missing.length, 'file')} not uploaded yet.</strong>{' '}
        {canOpen
          ? 'The page was reloaded. Continue, and allow the browser to read the files again.'
          : 'The page was reloaded. Choose the same files or folder again to continue where it stopped.'}
      </p>
      <div class="drop-buttons">
        {canOpen && (
          <Button kind="primary" onClick={() => void open()}>
            Continue
          </Button>
        )}
        <Button onClick={() => missing.forEach(({ id }) => dropItem(id))}>Forget them</Button>
      </div>
    </div>
  );
}
