import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createFolderStorage } from './folder-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import { parseS3Url } from './s3-url.ts';

/**
 * Stores the bytes of files. A name is 1 to 80 characters of a-z, 0-9 and `-`. The caller keeps the records of what the
 * names mean and which files are complete and checked.
 *
 *     nothing ──append──▶ unfinished ──finish──▶ file ──remove──▶ nothing
 *
 * A file never changes. Every call may come from any node.
 */
export interface Storage {
  readonly kind: 'folder' | 's3';
  /** The folder of the files; undefined if they are not on a disk of this machine. */
  readonly root: string | undefined;

  /**
   * A signed URL of the store to which the bytes can be PUT in one request; undefined if uploads go through this
   * server.
   */
  signUpload(name: string, upload: SignedUpload): Promise<string | undefined>;

  /**
   * How many bytes of the unfinished upload are stored safely: a resumed upload continues there. 0 if there is none,
   * the size of the file if it is finished.
   */
  uploadOffset(name: string, size: number): Promise<number>;

  /**
   * Appends bytes at `offset`, which must be the current offset of the upload (otherwise OffsetMismatch); resolves to
   * the new offset, behind the last byte that arrived. If the source fails, the error is rethrown; a folder keeps all
   * bytes that arrived, an object store at least the first mebibyte of those that did not fill a part. Bytes beyond
   * `size` are refused (TooManyBytes) and not kept. The source is read no further than needed and is not closed.
   */
  append(name: string, part: AppendedPart): Promise<number>;

  /**
   * Makes a complete upload durable and readable under its name, whether it was appended or PUT to the URL of
   * signUpload. Safe to repeat. Throws OffsetMismatch if bytes are missing.
   */
  finish(name: string, size: number): Promise<void>;

  /**
   * Stores a complete file of this machine under a new name, durably. The file may be moved away from its path.
   */
  storeFile(name: string, path: string, size: number): Promise<void>;

  /** The size of a finished file; undefined if there is none. */
  sizeOf(name: string): Promise<number | undefined>;

  /**
   * The bytes of a file or of a range; `end` is exclusive. Throws StoredFileMissing before the first byte if the file
   * does not exist. A reader that stops early must destroy the stream.
   */
  read(name: string, range?: ByteRange): Promise<Readable>;

  /** The path of a finished file on this machine, for programs that read files; undefined if it is elsewhere. */
  localPath(name: string): string | undefined;

  /** Removes the file and any unfinished upload of that name; succeeds if there is none. */
  remove(name: string): Promise<void>;

  /** All files and unfinished uploads, to find those without a record; may omit those that change meanwhile. */
  list(): AsyncIterable<StoredEntry>;

  /** Stores and removes a probe; throws StorageUnavailable with a one-line message if the storage cannot be used. */
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
  /** How many bytes the source will give, if that is known: then an object store writes most of them only once. */
  readonly length?: number | undefined;
  readonly signal?: AbortSignal;
  /** The bytes are on the disk when the call resolves, not only with the operating system. */
  readonly isSynced?: boolean;
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

/** Throws a RangeError if the URL is invalid. Call check() to find out whether the storage can be used. */
export function openStorage({ url, dataDir, accessKey = '', secretKey = '' }: StorageSettings): Storage {
  if (url === '') return createFolderStorage({ root: join(dataDir, 'files') });
  if (url.startsWith('file:')) return createFolderStorage({ root: readFileUrl(url) });
  return createS3Storage({ location: parseS3Url(url), accessKey, secretKey });
}

function readFileUrl(url: string): string {
  const isLocal = URL.canParse(url) && new URL(url).host === '' && /^file:\/\/\/[^?#%]+$/.test(url);
  if (!isLocal) throw new RangeError('a folder must be given as file:///path/to/folder');
  return fileURLToPath(url);
}

/** What is wrong with a storage URL; undefined if it is valid. */
export function storageFault(url: string): string | undefined {
  try {
    openStorage({ url, dataDir: '' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
