import type { TimeSource } from '@earshot/contract/recording-time';
import { isSoundFileName } from '@earshot/contract/sound-file-names';
import { fromWall } from '@earshot/contract/time-zone';

export type ItemState =
  /** The start is being read from the file. */
  | 'reading'
  /** Waits for the user to start the upload. */
  | 'ready'
  | 'queued'
  | 'uploading'
  | 'done'
  /** The server has the same recording already: same device, start and sound. */
  | 'known'
  | 'failed'
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
  readonly hash?: string | undefined;
  readonly deviceID?: number | undefined;
  readonly location?: string | undefined;
  readonly sent: number;
  readonly audioClipID?: number | undefined;
  readonly problem?: string | undefined;
}

export const isSoundFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  isSoundFileName(name) || type.startsWith('audio/');

export function itemOf(file: File, path: string, handle?: FileSystemFileHandle): UploadItem {
  const id = `${path} ${file.size} ${file.lastModified}`;
  return { id, name: file.name, size: file.size, state: 'reading', sent: 0, file, handle };
}

/** Times without a zone are local times in the zone that the user chose. */
export function startMsOf({ start, isZoneKnown = true }: UploadItem, zone: string): number | undefined {
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

export interface Totals {
  readonly files: number;
  readonly arrived: number;
  readonly failed: number;
  readonly bytes: number;
  readonly sentBytes: number;
}

export function totalsOf(items: readonly UploadItem[]): Totals {
  let [arrived, failed, bytes, sentBytes] = [0, 0, 0, 0];
  for (const { state, size, sent } of items) {
    const isThere = state === 'done' || state === 'known';
    if (isThere) arrived += 1;
    if (state === 'failed') failed += 1;
    else {
      bytes += size;
      sentBytes += isThere ? size : sent;
    }
  }
  return { files: items.length, arrived, failed, bytes, sentBytes };
}
