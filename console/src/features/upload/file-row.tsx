import { useSignal } from '@preact/signals';
import { Button } from '../../lib/ui/button.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { dateAndTime } from '../../lib/ui/times.ts';
import { Progress, UserText } from '../../lib/ui/elements.tsx';
import { HeardWords } from './heard-words.tsx';
import type { UploadItem } from './item.ts';
import { hasNotBegun, lacksZone, sourceText, startMsOf } from './item.ts';
import { retryUpload } from './queue.ts';
import { StartDialog } from './start-dialog.tsx';
import { dropUpload } from './undo.ts';

export function FileRow({ item }: { readonly item: UploadItem }) {
  const { name, size, state, problem } = item;
  return (
    <li class="row upload-row">
      <div class="row-main">
        <span class="row-title">
          <UserText text={name} />
        </span>
        <span class="row-under">
          <span class="figures">{sizeText(size)}</span>
          <Start item={item} />
          {problem && <span class={state === 'failed' ? 'problem' : undefined}>{problem}</span>}
        </span>
      </div>
      <div class="upload-state">
        <State item={item} />
      </div>
      <Action item={item} />
    </li>
  );
}

function Start({ item }: { readonly item: UploadItem }) {
  const isEditing = useSignal(false);
  const startMs = startMsOf(item);
  const text = startMs === undefined ? 'start unknown' : dateAndTime(new Date(startMs));
  if (item.state === 'reading') return <span>Reading…</span>;
  return (
    <>
      {hasNotBegun(item) ? (
        <button
          class="text-button"
          type="button"
          aria-label={`Correct the start: ${text}`}
          onClick={() => (isEditing.value = true)}
        >
          {text}
        </button>
      ) : (
        <span>{text}</span>
      )}
      {item.source && <span>{sourceText(item)}</span>}
      {isEditing.value && <StartDialog item={item} onClose={() => (isEditing.value = false)} />}
    </>
  );
}

const stateTexts = {
  reading: '',
  ready: 'Waits for the device',
  queued: 'Waiting',
  known: 'Already there',
  failed: 'Failed',
  undoing: 'Undoing…',
  missing: 'Choose it again',
} as const;

function stateText(item: UploadItem): string {
  if (item.state === 'done' || item.state === 'uploading') return '';
  return item.state === 'ready' && lacksZone(item) ? 'Waits for the time zone' : stateTexts[item.state];
}

function State({ item }: { readonly item: UploadItem }) {
  const { state, sent, size, name, audioClipID } = item;
  if (state === 'uploading') return <Progress value={(100 * sent) / size} label={`Upload of ${name}`} />;
  if (state === 'done' && audioClipID !== undefined) return <HeardWords clipID={audioClipID} item={item} />;
  return <span class={state === 'failed' ? 'problem' : 'hint'}>{stateText(item)}</span>;
}

function Action({ item }: { readonly item: UploadItem }) {
  const { state, name, audioClipID } = item;
  if ((state === 'done' || state === 'known') && audioClipID !== undefined) {
    return (
      <a class="button quiet small" href={`/clips/${audioClipID}`} aria-label={`Listen to ${name}`}>
        <span>Listen</span>
      </a>
    );
  }
  if (state === 'known' || state === 'done' || state === 'undoing') return null;
  return (
    <>
      {state === 'failed' && item.file && (
        <Button small kind="quiet" icon="repeat" label={`Retry ${name}`} onClick={() => retryUpload(item)} />
      )}
      <Button small kind="quiet" icon="close" label={`Remove ${name}`} onClick={() => void dropUpload(item)} />
    </>
  );
}
