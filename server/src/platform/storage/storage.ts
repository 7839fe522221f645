import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import { parseS3Url } from './s3-url.ts';

export { OffsetMismatch, StorageUnavailable, StoredFileMissing, TooManyBytes } from './storage-error.ts';

/**
 * Where the bytes of files are. A name is 1 to 80 characters of a-z, 0-9 and `-`; whoever gives names keeps the record
 * of what they mean, and of which files are whole and checked.
 *
 *     nothing ──append──▶ unfinished ──finish──▶ file ──remove──▶ nothing
 *
 * A file never changes. Every call may come from any node.
 */
export interface Storage {
  readonly kind: 'folder' | 's3';
  /** The folder that the files are in; undefined: they are not on a disk of this machine. */
  readonly root: string | undefined;

  /** An address of the store's own, to which the bytes may be PUT in one request; undefined: they come through us. */
  signUpload(name: string, upload: SignedUpload): Promise<string | undefined>;

  /**
   * How many bytes of the unfinished upload are safe: where a resumed upload goes on. 0 when there is none, all when
   * the file is there already.
   */
  uploadOffset(name: string, size: number): Promise<number>;

  /**
   * Adds bytes at `offset`, which must be where the upload stands (else OffsetMismatch); resolves to where it stands
   * then. An object store keeps whole parts only: that may be before the last byte that came. When the source breaks,
   * what arrived is kept in the same measure, and the error is passed on. Bytes beyond `size` are refused
   * (TooManyBytes) and not kept. The source is read no further than needed, and stays its owner's to close.
   */
  append(name: string, part: AppendedPart): Promise<number>;

  /**
   * Makes a whole upload durable and readable under its name, be it appended or PUT to the address of signUpload; safe
   * to repeat. When bytes are missing: OffsetMismatch.
   */
  finish(name: string, size: number): Promise<void>;

  /** The size of a finished file; undefined when there is none. */
  sizeOf(name: string): Promise<number | undefined>;

  /**
   * Its bytes, or those of the range that it has; `end` is exclusive. Throws StoredFileMissing before the first byte
   * when it is not there. Who does not read to the end destroys the stream.
   */
  read(name: string, range?: ByteRange): Promise<Readable>;

  /** Where the bytes of a finished file lie on this machine, for programs that read files; undefined: elsewhere. */
  localPath(name: string): string | undefined;

  /** Removes the file and any unfinished upload of that name; fine when there is none. */
  remove(name: string): Promise<void>;

  /** All files and unfinished uploads, for the sweep of what no record knows; what changes meanwhile may be left out. */
  list(): AsyncIterable<StoredEntry>;

  /** Stores something and removes it; throws StorageUnavailable, one clear line, when the store cannot be used. */
  check(): Promise<void>;
}

export interface SignedUpload {
  readonly size: number;
  readonly contentType: string;
  readonly lifetimeSeconds: number;
}

export interface AppendedPart {
  readonly offset: number;
  /** Of the whole file. */
  readonly size: number;
  readonly source: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface StoredEntry {
  readonly name: string;
  readonly isFinished: boolean;
  readonly modified: Date;
}

export interface StorageSettings {
  /** Empty: a folder under the data folder; `file:///folder`, or `s3://bucket…`, see s3-url.ts. */
  readonly url: string;
  readonly dataDir: string;
  /** Of the object store. */
  readonly accessKey?: string | undefined;
  readonly secretKey?: string | undefined;
}

/** Throws a RangeError when the URL is not understood; whether the store can be used, only its check() tells. */
export function openStorage({ url, dataDir, accessKey = '', secretKey = '' }: StorageSettings): Storage {
  if (url === '') return createFolderStorage({ root: join(dataDir, 'files') });
  if (url.startsWith('file:')) return createFolderStorage({ root: readFileUrl(url) });
  return createS3Storage({ location: parseS3Url(url), accessKey, secretKey });
}

function readFileUrl(url: string): string {
  const isLocal = URL.canParse(url) && new URL(url).host === '' && /^file:\/\/\/[^?#%]+$/.test(url);
  if (!isLocal) throw new RangeError('a folder is named by file:///path/to/it');
  return fileURLToPath(url);
}

/** What is wrong with the URL of a store; undefined when it is understood. */
export function storageFault(url: string): string | undefined {
  try {
    openStorage({ url, dataDir: '' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
