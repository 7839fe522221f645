import { useState } from 'preact/hooks';
import { attempt } from '../../lib/attempt.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { sizeText } from '../../lib/ui/size-text.ts';
import { chosenDeviceID, requireChosenDevice } from './upload-device.tsx';
import { isOver, isStarted, totalsOf, type UploadItem } from './item.ts';
import { dropItem } from './list.ts';
import { continueUploads, pauseUploads, startUploads } from './queue.ts';
import { isPaused } from './state.ts';

/** Progress of all files, and what to do next. Stays at the bottom of the screen. */
export function UploadBar({ items }: { readonly items: readonly UploadItem[] }) {
  const [isStarting, setStarting] = useState(false);
  const ready = items.filter(({ state }) => state === 'ready').length;
  const isReading = items.some(({ state }) => state === 'reading');
  const underWay = items.filter(isStarted).length;
  const over = items.filter(isOver);
  const start = async () => {
    if (!requireChosenDevice()) return;
    setStarting(true);
    await attempt(async () => startUploads(await chosenDeviceID()));
    setStarting(false);
  };
  return (
    <div class="sticky-bar upload-bar">
      <Summary items={items} />
      <div class="drop-buttons">
        {over.length > 0 && (
          <Button kind="quiet" onClick={() => over.forEach(({ id }) => dropItem(id))}>
            Clear finished
          </Button>
        )}
        {underWay > 0 && !isPaused.value && <Button onClick={pauseUploads}>Pause</Button>}
        {underWay > 0 && isPaused.value && (
          <Button kind="primary" onClick={continueUploads}>
            Resume
          </Button>
        )}
        {ready > 0 && (
          <Button kind="primary" icon="upload" busy={isStarting || isReading} onClick={() => void start()}>
            Upload {countText(ready, 'file')}
          </Button>
        )}
      </div>
    </div>
  );
}

function Summary({ items }: { readonly items: readonly UploadItem[] }) {
  const { files, arrived, failed, bytes, sentBytes } = totalsOf(items);
  const isBegun = arrived > 0 || sentBytes > 0 || items.some(isStarted);
  if (!isBegun) return <p>{`${countText(files, 'file')}, ${sizeText(bytes)}`}</p>;
  return (
    <div class="upload-summary">
      <p role="status">
        {arrived.toLocaleString('en')} of {countText(files, 'file')} uploaded
        {failed > 0 && <span class="problem">, {failed} failed</span>}
      </p>
      <progress class="progress busy" value={sentBytes} max={Math.max(1, bytes)} aria-label="All uploads" />
      <p class="hint figures">
        {sizeText(sentBytes)} of {sizeText(bytes)}
      </p>
    </div>
  );
}
