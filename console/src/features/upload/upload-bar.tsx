import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { allDevices, nameOf } from '../device/public.ts';
import type { UploadBatch } from './batches.ts';
import { createdBy, shownBatches } from './batches.ts';
import type { UploadItem } from './item.ts';
import { isOver, isStarted, isWaiting, totalsOf } from './item.ts';
import { dropItem } from './list.ts';
import { continueUploads, pauseUploads } from './queue.ts';
import { isPaused } from './state.ts';
import { UndoDialog } from './undo-dialog.tsx';
import { undoBatch } from './undo.ts';

/** What happens to the files, and how to stop or undo it. Stays at the bottom of the screen. */
export function UploadBar({ items }: { readonly items: readonly UploadItem[] }) {
  const isUnderWay = items.some(isStarted);
  return (
    <div class="sticky-bar upload-bar">
      {shownBatches(items).map((batch) => (
        <BatchLine key={batch.batchID} batch={batch} />
      ))}
      <div class="upload-line">
        <Summary items={items} />
        {isUnderWay ? <PauseButton /> : <ClearButtons items={items} />}
      </div>
    </div>
  );
}

const PauseButton = () =>
  isPaused.value ? (
    <Button kind="primary" onClick={continueUploads}>
      Resume
    </Button>
  ) : (
    <Button onClick={pauseUploads}>Pause</Button>
  );

/** Not while files are sent: then there is enough to read. */
function ClearButtons({ items }: { readonly items: readonly UploadItem[] }) {
  const over = items.filter(isOver);
  const waiting = items.filter(isWaiting);
  const drop = (some: readonly UploadItem[]) => some.forEach(({ id }) => dropItem(id));
  return (
    <div class="drop-buttons">
      {waiting.length > 0 && (
        <Button kind="quiet" onClick={() => drop(waiting)}>
          Remove waiting files
        </Button>
      )}
      {over.length > 0 && (
        <Button kind="quiet" onClick={() => drop(over)}>
          Clear finished
        </Button>
      )}
    </div>
  );
}

/** "Uploading 300 files to North gate", with its undo. */
function BatchLine({ batch }: { readonly batch: UploadBatch }) {
  const { data: devices = [] } = useQuery(allDevices);
  const [isAsking, setAsking] = useState(false);
  const device = devices.find(({ key }) => key === batch.deviceID);
  const waiting = batch.items.filter(isWaiting).length;
  const isUndoing = batch.items.some(({ state }) => state === 'undoing');
  const undo = () => {
    if (createdBy(batch).length > 0) setAsking(true);
    else void undoBatch(batch.batchID);
  };
  return (
    <div class="upload-line">
      <p class="upload-what">
        {whatHappens(batch)} <UserText text={device ? nameOf(device) : `device ${batch.deviceID}`} />
        {waiting > 0 && !isUndoing && <>, {waiting.toLocaleString('en')} waiting for the time zone</>}
      </p>
      <Button busy={isUndoing} onClick={undo}>
        Undo
      </Button>
      {isAsking && <UndoDialog batch={batch} onClose={() => setAsking(false)} />}
    </div>
  );
}

function whatHappens({ items }: UploadBatch): string {
  const count = (wanted: (item: UploadItem) => boolean) => countText(items.filter(wanted).length, 'file');
  const isUndoing = ({ state }: UploadItem) => state === 'undoing';
  if (items.some(isUndoing)) return `Undoing the upload, ${count(isUndoing)} left, to`;
  if (items.some(isStarted))
    return `${isPaused.value ? 'Paused:' : 'Uploading'} ${count((item) => !isWaiting(item))} to`;
  return `Uploaded ${count(({ state }) => state === 'done')} to`;
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
