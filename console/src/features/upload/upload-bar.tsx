import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { type Batch, createdBy, shownBatches } from './batches.ts';
import { isOver, isStarted, isWaiting, totalsOf, type UploadItem } from './item.ts';
import { dropItem } from './list.ts';
import { continueUploads, pauseUploads } from './queue.ts';
import { isPaused } from './state.ts';
import { UndoDialog } from './undo-dialog.tsx';
import { undoBatch } from './undo.ts';

/** What happens to the files, and how to stop or undo it. Stays at the bottom of the screen. */
export function UploadBar({ items }: { readonly items: readonly UploadItem[] }) {
  const batches = shownBatches(items);
  const waiting = items.filter(isWaiting);
  const over = items.filter(isOver);
  const isUnderWay = items.some(isStarted);
  return (
    <div class="sticky-bar upload-bar">
      {batches.map((batch) => (
        <BatchLine key={batch.batchID} batch={batch} />
      ))}
      <div class="upload-line">
        <Summary items={items} />
        <div class="drop-buttons">
          {over.length > 0 && (
            <Button kind="quiet" onClick={() => over.forEach(({ id }) => dropItem(id))}>
              Clear finished
            </Button>
          )}
          {waiting.length > 0 && (
            <Button kind="quiet" onClick={() => waiting.forEach(({ id }) => dropItem(id))}>
              Remove waiting files
            </Button>
          )}
          {isUnderWay &&
            (isPaused.value ? (
              <Button kind="primary" onClick={continueUploads}>
                Resume
              </Button>
            ) : (
              <Button onClick={pauseUploads}>Pause</Button>
            ))}
        </div>
      </div>
    </div>
  );
}

/** "Uploading 300 files to North gate", with its undo. */
function BatchLine({ batch }: { readonly batch: Batch }) {
  const { data: devices = [] } = useQuery(allDevices);
  const [isAsking, setAsking] = useState(false);
  const device = devices.find(({ key }) => key === batch.deviceID);
  const isUndoing = batch.items.some(({ state }) => state === 'undoing');
  const undo = () => {
    if (createdBy(batch).length > 0) setAsking(true);
    else void undoBatch(batch.batchID);
  };
  return (
    <div class="upload-line">
      <p class="upload-what">
        {whatHappens(batch)} <UserText text={device ? nameOf(device) : `device ${batch.deviceID}`} />
      </p>
      <Button busy={isUndoing} onClick={undo}>
        Undo
      </Button>
      {isAsking && <UndoDialog batch={batch} onClose={() => setAsking(false)} />}
    </div>
  );
}

function whatHappens({ items }: Batch): string {
  const files = countText(items.length, 'file');
  const undoing = items.filter(({ state }) => state === 'undoing').length;
  if (undoing > 0) return `Undoing: ${undoing.toLocaleString('en')} of ${files} left on`;
  const waiting = items.filter(isWaiting).length;
  const started = countText(items.length - waiting, 'file');
  const rest = waiting > 0 ? `, ${waiting.toLocaleString('en')} waiting,` : '';
  if (items.some(isStarted)) return `${isPaused.value ? 'Paused' : 'Uploading'} ${started}${rest} to`;
  return `Uploaded ${countText(items.filter(({ state }) => state === 'done').length, 'file')}${rest} to`;
}

function Summary({ items }: { readonly items: readonly UploadItem[] }) {
  const { files, arrived, known, failed, bytes, sentBytes } = totalsOf(items);
  const isBegun = arrived > 0 || sentBytes > 0 || items.some(isStarted);
  if (!isBegun) return <p role="status">{`${countText(files, 'file')}, ${sizeText(bytes)}`}</p>;
  return (
    <div class="upload-summary">
      <p role="status">
        {arrived.toLocaleString('en')} of {countText(files, 'file')} uploaded
        {known > 0 && `, ${known.toLocaleString('en')} of them already there`}
        {failed > 0 && <span class="problem">, {failed} failed</span>}
      </p>
      <progress class="progress busy" value={sentBytes} max={Math.max(1, bytes)} aria-label="All uploads" />
      <p class="hint figures">
        {sizeText(sentBytes)} of {sizeText(bytes)}
      </p>
    </div>
  );
}
