import type { TimeSource } from '@earshot/contract/recording-time';
import { isSoundFileName } from '@earshot/contract/sound-file-names';
import { fromWall } from '@earshot/contract/time-zone';
import { viewerZone } from '../../lib/ui/clock.ts';

export type ItemState =
  /** The start is being read from the file. */
  | 'reading'
  /** Waits for an answer of the user: which device, or which time zone. */
  | 'ready'
  | 'queued'
  | 'uploading'
  | 'done'
  /** The server had the same recording before: same device, same start, same sound. */
  | 'known'
  | 'failed'
  /** The upload is being stopped and what it created removed. */
  | 'undoing'
  /** Was being uploaded before the page was reloaded; the file must be chosen again. */
  | 'missing';

export interface UploadItem {
  /** The same for the same file, so that an upload continues when the file is chosen again. */
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly state: ItemState;
  readonly file?: File | undefined;
  readonly handle?: FileSystemFileHandle | undefined;
  /** Milliseconds since 1970; local time as UTC if the zone is not known. */
  readonly start?: number | undefined;
  readonly source?: TimeSource | 'user' | undefined;
  readonly isZoneKnown?: boolean | undefined;
  /** The user's answer, if the file does not tell the zone of its start. */
  readonly zone?: string | undefined;
  readonly hash?: string | undefined;
  /** Files that were added together and are undone together. A recording of this browser has none. */
  readonly batchID?: number | undefined;
  readonly deviceID?: number | undefined;
  readonly location?: string | undefined;
  readonly sent: number;
  readonly audioClipID?: number | undefined;
  /** Whether this upload created the clip. Undo removes no other clip. */
  readonly isCreated?: boolean | undefined;
  readonly problem?: string | undefined;
}

export const isSoundFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  isSoundFileName(name) || type.startsWith('audio/');

export function itemOf(file: File, path: string, handle?: FileSystemFileHandle): UploadItem {
  const id = `${path} ${file.size} ${file.lastModified}`;
  return { id, name: file.name, size: file.size, state: 'reading', sent: 0, file, handle };
}

/** Whether the upload must wait until the user tells the zone. */
export const lacksZone = ({ isZoneKnown = true, zone }: UploadItem): boolean => !isZoneKnown && zone === undefined;

/** A time without a zone is a local time in the zone that the user told; until then in the zone of the user. */
export function startMsOf({ start, isZoneKnown = true, zone = viewerZone() }: UploadItem): number | undefined {
  if (start === undefined) return undefined;
  return isZoneKnown ? start : fromWall(start, zone);
}

const sourceTexts: Readonly<Record<TimeSource | 'user', string>> = {
  guano: 'from the file (GUANO)',
  bwf: 'from the file (BWF)',
  icmt: 'from the file (comment)',
  icrd: 'from the file (date)',
  id3: 'from the file (ID3)',
  name: 'from the name',
  file: "the file's own date",
  user: 'set by you',
};
export const sourceText = ({ source }: UploadItem): string => (source ? sourceTexts[source] : '');

/** An item that the server has, or will not get. */
export const isOver = ({ state }: UploadItem): boolean => state === 'done' || state === 'known' || state === 'failed';
export const isStarted = ({ state }: UploadItem): boolean => state === 'queued' || state === 'uploading';
/** An item that waits for an answer of the user. */
export const isWaiting = ({ state }: UploadItem): boolean => state === 'reading' || state === 'ready';
/** Nothing of it was sent, so its start can still be corrected. */
export const hasNotBegun = ({ state, location }: UploadItem): boolean =>
  state === 'ready' || (state === 'queued' && location === undefined);

export interface Totals {
  readonly files: number;
  /** On the server, with those that were there before. */
  readonly arrived: number;
  readonly known: number;
  readonly failed: number;
  readonly bytes: number;
  readonly sentBytes: number;
}

export function totalsOf(items: readonly UploadItem[]): Totals {
  let [arrived, known, failed, bytes, sentBytes] = [0, 0, 0, 0, 0];
  for (const { state, size, sent } of items) {
    const isThere = state === 'done' || state === 'known';
    if (isThere) arrived += 1;
    if (state === 'known') known += 1;
    if (state === 'failed') failed += 1;
    else {
      bytes += size;
      sentBytes += isThere ? size : sent;
    }
  }
  return { files: items.length, arrived, known, failed, bytes, sentBytes };
}
