import { currentLocation } from '../../lib/location.ts';
import { isStarted, isWaiting, totalsOf } from './item.ts';
import { isPaused, uploadItems } from './state.ts';

/** The progress of uploads, on every page but their own. */
export function UploadStatus() {
  const items = uploadItems.value;
  const isMissing = items.some(({ state }) => state === 'missing');
  const isAsking = items.some(isWaiting);
  if (currentLocation.value.path === '/upload' || !(items.some(isStarted) || isMissing || isAsking)) return null;
  const { arrived, files, bytes, sentBytes } = totalsOf(items);
  const text = isMissing
    ? 'Uploads not finished'
    : isAsking
      ? 'Uploads wait for your answer'
      : isPaused.value
        ? 'Uploads paused'
        : 'Uploading';
  return (
    <a class="upload-status" href="/upload">
      <span>
        {text}: {arrived.toLocaleString('en')} of {files.toLocaleString('en')}
      </span>
      <progress class="progress busy" value={sentBytes} max={Math.max(1, bytes)} aria-hidden="true" />
    </a>
  );
}
