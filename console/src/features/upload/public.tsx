import { useEffect, useRef, useState } from 'preact/hooks';
import { currentLocation } from '../../lib/location.ts';
import { Icon } from '../../lib/ui/icon.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { isTouchScreen } from '../../lib/ui/touch-screen.ts';
import { chosenFiles, droppedFiles } from './dropped-files.ts';
import { isStarted, isWaiting, totalsOf } from './item.ts';
import { isPaused, uploadItems } from './state.ts';
import { takeFiles } from './take-files.ts';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;

/** Accepts files that are dropped anywhere in the window, and says so while they are dragged over it. */
export function DropAnywhere() {
  const [isOver, setOver] = useState(false);
  const depth = useRef(0);
  useEffect(() => {
    void import('./queue.ts').then(({ restoreUploads }) => restoreUploads());
    const stopping = new AbortController();
    const on = { signal: stopping.signal };
    const move = (step: number) => (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth.current = Math.max(0, depth.current + step);
      setOver(depth.current > 0);
    };
    addEventListener('dragenter', move(1), on);
    addEventListener('dragleave', move(-1), on);
    addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), on);
    addEventListener(
      'drop',
      (event) => {
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        depth.current = 0;
        setOver(false);
        void droppedFiles(event.dataTransfer).then(takeFiles);
      },
      on,
    );
    return () => stopping.abort();
  }, []);
  if (!isOver) return null;
  return (
    <div class="drop-over" role="status">
      <Icon name="upload" />
      <p>Drop recordings to add them</p>
    </div>
  );
}

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

/** Two inputs: a browser lets people choose either files or a folder. */
export function FilePicker() {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    void takeFiles(chosenFiles(input.files));
    // So that the same files can be chosen again.
    input.value = '';
  };
  return (
    <div class="drop-card">
      <Icon name="upload" />
      <p>
        <strong>{isTouchScreen() ? 'Choose recordings' : 'Drop recordings here'}</strong>
        <span class="hint">WAV, MP3, M4A, FLAC, Ogg or WebM, up to 24 hours each</span>
      </p>
      <div class="drop-buttons">
        <Button kind="primary" onClick={() => files.current?.click()}>
          Choose files
        </Button>
        <Button onClick={() => folder.current?.click()}>Choose a folder</Button>
      </div>
      <input
        ref={files}
        hidden
        type="file"
        multiple
        accept="audio/*,.wav,.mp3,.m4a,.flac,.ogg,.opus,.webm,.aac"
        aria-label="Files"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        ref={folder}
        hidden
        type="file"
        {...{ webkitdirectory: true }}
        aria-label="Folder"
        onChange={({ currentTarget }) => take(currentTarget)}
      />
    </div>
  );
}
